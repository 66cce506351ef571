"use strict";
(() => {
  const game = JSON.parse(document.getElementById("data").textContent);
  const last = game.steps.length - 1;
  const slots = game.views[0].rows[0].length / 2;
  const at = (id) => document.getElementById(id);
  let step = 0;
  let view = game.views[0];
  let timer = null;

  // The beliefs of each step; the data have only the changes from step to step.
  for (const each of game.views) {
    let lying = [];
    each.lying = each.rows.map((changes) => {
      lying = lying.slice();
      for (let i = 0; i < changes.length; i += 2) lying[changes[i]] = game.rows[changes[i + 1]];
      return lying;
    });
  }

  const made = (tag, kind, text) => {
    const node = document.createElement(tag);
    if (kind) node.className = kind;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const emblem = (mask) => {
    const picture = at("emblem").content.firstElementChild.cloneNode(true);
    picture.firstElementChild.setAttribute("href", `#emblem-${mask}`);
    return picture;
  };
  const coins = (count) => `${count} coin${count === 1 ? "" : "s"}`;
  const percent = (part) =>
    part < 10 ? "<1%" : part > 990 && part < 1000 ? ">99%" : `${part / 10}%`;
  const pairs = (row) => {
    const masks = [];
    for (let i = 0; i < row.length; i += 2) masks.push([row[i], row[i + 1]]);
    return masks;
  };
  const viewName = (viewer) =>
    viewer === "onlooker" ? "an onlooker"
    : viewer === "all" ? "the whole truth"
    : game.called[viewer];

  // The cards

  const cards = [];
  for (let slot = 0; slot < slots; slot += 1) {
    const seat = slot < game.players;
    const card = made("div", "card");
    card.setAttribute("role", "group");
    const body = made("div", "body");
    const parts = {
      card, body, tab: made("div", "tab"), who: made("span", "who"), gain: made("span", "gain"),
      coins: made("span"), rows: made("div", "rows"), signs: made("div", "signs"),
    };
    if (seat) {
      const top = made("div", "top");
      const purse = made("span");
      purse.append(made("i", "coin"), parts.coins);
      top.append(parts.who, parts.gain, purse);
      body.append(top);
      card.style.left = `${game.spots[slot][0]}%`;
      card.style.top = `${game.spots[slot][1]}%`;
      card.style.width = `${game.size[0]}%`;
      card.style.height = `${game.size[1]}%`;
      card.style.setProperty("--scale", game.size[0] / 18.54);
      at("stage").append(card);
    } else {
      at("centre").append(card);
    }
    body.append(parts.rows);
    if (seat) body.append(parts.signs);
    card.append(parts.tab, body);
    cards.push(parts);
  }
  at("stage").style.aspectRatio = game.shape;
  at("middle").style.inset = `${game.middle[1]}% ${game.middle[0]}%`;

  const rowsOf = (row, certain) => {
    const all = pairs(row);
    if (certain) {
      const node = made("div", "row known");
      node.append(emblem(all[0][0]), made("span", "", game.masks[all[0][0]]));
      return [node];
    }
    const line = (name, part, width, picture) => {
      const node = made("div", "row");
      const bar = made("div", "bar");
      bar.style.setProperty("--part", `${width / 10}%`);
      bar.append(made("span", "", name), made("span", "", percent(part)));
      node.append(picture, bar);
      return node;
    };
    const shown = all.length <= 3 ? all : all.slice(0, 2);
    const lines = shown.map(([mask, part]) => line(game.masks[mask], part, part, emblem(mask)));
    if (all.length > 3) {
      const rest = Math.min(all.slice(2).reduce((sum, pair) => sum + pair[1], 0), 999);
      // Without a bar: that of several masks together would be the longest, and draw the eye.
      lines.push(line(`${all.length - 2} others`, rest, 0, made("span", "emblem")));
    }
    return lines;
  };

  const drawCard = (slot) => {
    const now = game.steps[step];
    const parts = cards[slot];
    const row = view.lying[step][slot];
    const certain = row.length === 2 && view.exact[step] === 1;
    const taken = now.taken.includes(slot);
    parts.rows.replaceChildren(...rowsOf(row, certain));
    parts.card.className = `card${taken ? " taken" : ""}`;
    if (slot >= game.players) {
      parts.tab.textContent = `centre ${slot}${taken ? ", taken" : ""}`;
      parts.card.setAttribute("aria-label", `centre slot ${slot}`);
      return;
    }
    const own = now.player[slot] === view.viewer;
    const who = game.called[now.player[slot]];
    const signs = game.signs[now.signs[slot]];
    parts.tab.textContent = `seat ${slot}${own ? " (own)" : ""}`;
    if (signs.includes("turn")) parts.tab.append(made("span", "sign turn", "turn"));
    parts.who.textContent = who;
    parts.who.title = who;
    parts.coins.textContent = now.coins[slot];
    const gain = step ? now.coins[slot] - game.steps[step - 1].coins[slot] : 0;
    parts.gain.textContent = gain > 0 ? `+${gain}` : gain < 0 ? `\u2212${-gain}` : "";
    const words = signs.filter((word) => word !== "turn");
    if (now.decides === slot) words.push("decides");
    parts.signs.replaceChildren(...words.map((word) => made("span", `sign ${word}`, word)));
    if (now.decides === slot) parts.card.classList.add("decides");
    if (signs.includes("wins")) parts.card.classList.add("wins");
    parts.card.setAttribute("aria-label", `seat ${slot}, ${who}, ${coins(now.coins[slot])}`);
  };

  // What happened

  const log = at("log");
  const news = (number) => view.news[number].map((text) => game.texts[text]);
  const writeLog = () => {
    const items = [];
    for (let number = Math.max(0, step - 150); number <= step; number += 1) {
      const item = made("li", number === step ? "now" : "");
      if (number && game.steps[number].turn !== game.steps[number - 1].turn) {
        item.classList.add("turn");
      }
      if (number === step) item.setAttribute("aria-current", "step");
      for (const sentence of news(number)) item.append(made("p", "", sentence));
      item.addEventListener("click", () => go(number));
      items.push(item);
    }
    log.replaceChildren(...items);
    log.scrollTop = log.scrollHeight;
  };

  // Where the masks are

  const drawBeliefs = () => {
    const head = made("tr");
    head.append(made("th", "", "slot"));
    game.masks.forEach((name, mask) => {
      const cell = made("th");
      cell.append(emblem(mask), name);
      cell.scope = "col";
      head.append(cell);
    });
    const body = made("tbody");
    view.lying[step].forEach((row, slot) => {
      const line = made("tr");
      const seat = slot < game.players;
      const first = made("th", "", seat ? `seat ${slot}` : `slot ${slot}`);
      first.append(made("b", "", seat ? game.called[game.steps[step].player[slot]] : "centre"));
      first.scope = "row";
      line.append(first);
      const parts = new Map(pairs(row));
      const certain = parts.size === 1 && view.exact[step] === 1;
      for (let mask = 0; mask < game.masks.length; mask += 1) {
        const part = parts.get(mask);
        const cell = made("td", part === undefined ? "" : certain ? "known" : "some");
        if (part !== undefined) {
          cell.textContent = certain ? "here" : percent(part);
          cell.style.setProperty("--part", `${part / 10}%`);
        }
        line.append(cell);
      }
      body.append(line);
    });
    const top = made("thead");
    top.append(head);
    at("beliefs").replaceChildren(top, body);
    at("beliefs-note").textContent = view.viewer === "all"
      ? "The whole truth, which no player knows."
      : `The neutral belief of ${viewName(view.viewer)}: the probability of each mask if every `
        + "hidden swap were a fair coin. Announcements and claims do not change it. "
        + "\u201chere\u201d marks a mask that is certain.";
    showHint();
  };
  const showHint = () => {
    const table = at("scroll");
    at("scroll-hint").classList.toggle("needed", table.scrollWidth > table.clientWidth);
  };

  // The last sentences that fit on the table, and the number of those that do not.
  const writeNews = () => {
    const list = at("news");
    const items = news(step).map((sentence) => made("li", "", sentence));
    const earlier = made("li");
    for (let before = 0; before === 0 || before < items.length; before += 1) {
      earlier.textContent = `${before} earlier \u2026`;
      list.replaceChildren(...(before ? [earlier] : []), ...items.slice(before));
      if (list.scrollHeight <= list.clientHeight) break;
    }
  };

  const draw = () => {
    const now = game.steps[step];
    at("where").textContent = `${game.scenario}, turn ${now.turn}`;
    at("headline").textContent = game.texts[now.headline];
    at("exact").textContent = view.exact[step] ? "" : "beliefs are approximate";
    const who = now.announcer < 0 ? "" : `${game.called[now.player[now.announcer]]}: `;
    at("announced").textContent =
      now.announced < 0 ? "" : `${who}\u201cI am the ${game.masks[now.announced]}\u201d`;
    at("tribunal").textContent = coins(now.tribunal);
    writeNews();
    at("step").value = step;
    at("step").setAttribute("aria-valuetext", `step ${step} of ${last}, turn ${now.turn}`);
    at("count").textContent = `step ${step} of ${last}`;
    at("view").value = view.viewer;
    for (let slot = 0; slot < slots; slot += 1) drawCard(slot);
    writeLog();
    drawBeliefs();
  };

  // Moving through the game; the address of the page has the step and the perspective

  const go = (number) => {
    step = Math.min(Math.max(number, 0), last);
    draw();
    try {
      history.replaceState(null, "", `#step=${step}&view=${view.viewer}`);
    } catch {
      // A page inside another page may not change its address.
    }
  };
  const turnBack = () => {
    let number = Math.max(step - 1, 0);
    while (number && game.steps[number].turn === game.steps[number - 1].turn) number -= 1;
    go(number);
  };
  const turnOn = () => {
    let number = step;
    while (number < last && game.steps[number].turn === game.steps[step].turn) number += 1;
    go(number);
  };
  const pause = () => {
    clearTimeout(timer);
    timer = null;
    at("play").classList.remove("playing");
    at("play-word").textContent = "Play";
    at("headline").setAttribute("aria-live", "polite");
  };
  const playOn = () => {
    if (step >= last) {
      pause();
      return;
    }
    go(step + 1);
    timer = setTimeout(playOn, Number(at("speed").value));
  };
  const play = () => {
    if (timer !== null) {
      pause();
      return;
    }
    at("play").classList.add("playing");
    at("play-word").textContent = "Pause";
    at("headline").setAttribute("aria-live", "off");
    if (step >= last) go(0);
    timer = setTimeout(playOn, Number(at("speed").value));
  };
  const byHand = (move) => () => {
    pause();
    move();
  };
  const read = () => {
    const address = new URLSearchParams(location.hash.slice(1));
    view = game.views.find((each) => String(each.viewer) === address.get("view")) || view;
    const number = Number.parseInt(address.get("step"), 10);
    go(Number.isNaN(number) ? step : number);
  };

  const moves = {
    "first": () => go(0), "turn-back": turnBack, "back": () => go(step - 1),
    "next": () => go(step + 1), "turn-next": turnOn, "last": () => go(last),
  };
  for (const [id, move] of Object.entries(moves)) at(id).addEventListener("click", byHand(move));
  at("play").addEventListener("click", play);
  at("step").max = last;
  at("step").addEventListener("input", byHand(() => go(Number(at("step").value))));
  for (const { viewer } of game.views) {
    const option = made("option", "", viewName(viewer));
    option.value = viewer;
    at("view").append(option);
  }
  at("view").addEventListener("change", () => {
    view = game.views.find((each) => String(each.viewer) === at("view").value);
    go(step);
  });
  const keys = { ArrowLeft: ["back", "turn-back"], ArrowRight: ["next", "turn-next"] };
  keys.Home = ["first", "first"];
  keys.End = ["last", "last"];
  document.addEventListener("keydown", (event) => {
    const tag = event.target.tagName;
    if (event.altKey || event.ctrlKey || event.metaKey || tag === "SELECT") return;
    if (event.key in keys) byHand(moves[keys[event.key][event.shiftKey ? 1 : 0]])();
    else if (event.key === " " && tag !== "BUTTON") play();
    else return;
    event.preventDefault();
  });
  window.addEventListener("hashchange", byHand(read));
  window.addEventListener("resize", () => {
    writeNews();
    showHint();
  });
  read();
})();
