"use strict";
(() => {
  const game = JSON.parse(document.getElementById("data").textContent);
  const last = game.steps.length - 1;
  const slots = game.views[0].rows[0].length / 2;
  const at = (id) => document.getElementById(id);
  let step = 0;
  let view = game.views[0];
  let timer = null;

  // A row of beliefs for each step, of which the data hold the changes.
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
  const called = (player) =>
    game.names.length ? `${player} ${game.names[player]}` : `player ${player}`;
  const coins = (count) => `${count} coin${count === 1 ? "" : "s"}`;
  const percent = (part) =>
    part < 10 ? "<1%" : part > 990 && part < 1000 ? ">99%" : `${Math.round(part / 10)}%`;
  const pairs = (row) => {
    const found = [];
    for (let i = 0; i < row.length; i += 2) found.push([game.masks[row[i]], row[i + 1]]);
    return found;
  };
  const viewName = (viewer) =>
    viewer === "onlooker" ? "an onlooker"
    : viewer === "all" ? "the whole truth"
    : `player ${game.names.length ? called(viewer) : viewer}`;

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
    if (certain) return [made("div", "row known", all[0][0])];
    const shown = all.length <= 3 ? all : all.slice(0, 2);
    if (all.length > 3) {
      const rest = all.slice(2).reduce((sum, pair) => sum + pair[1], 0);
      shown.push([`${all.length - 2} others`, Math.min(rest, 999)]);
    }
    return shown.map(([name, part]) => {
      const node = made("div", "row");
      // The others together would draw the eye to themselves.
      node.style.setProperty("--part", game.masks.includes(name) ? `${part / 10}%` : "0%");
      node.append(made("span", "", name), made("span", "", percent(part)));
      return node;
    });
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
    parts.tab.textContent = `seat ${slot}${own ? " (own)" : ""}`;
    parts.who.textContent = called(now.player[slot]);
    parts.who.title = called(now.player[slot]);
    parts.coins.textContent = now.coins[slot];
    const gain = step ? now.coins[slot] - game.steps[step - 1].coins[slot] : 0;
    parts.gain.textContent = gain > 0 ? `+${gain}` : gain < 0 ? `\u2212${-gain}` : "";
    const signs = game.signs[now.signs[slot]];
    const words = now.decides === slot ? [...signs, "decides"] : signs;
    parts.signs.replaceChildren(...words.map((word) => made("span", `sign ${word}`, word)));
    if (now.decides === slot) parts.card.classList.add("decides");
    if (signs.includes("wins")) parts.card.classList.add("wins");
    parts.card.setAttribute(
      "aria-label", `seat ${slot}, ${called(now.player[slot])}, ${coins(now.coins[slot])}`,
    );
  };

  // What happened

  const log = at("log");
  const told = (number) => view.news[number].map((text) => game.texts[text]);
  const writeLog = () => {
    const items = [];
    for (let number = Math.max(0, step - 150); number <= step; number += 1) {
      const item = made("li", number === step ? "now" : "");
      if (number && game.steps[number].turn !== game.steps[number - 1].turn) {
        item.classList.add("turn");
      }
      if (number === step) item.setAttribute("aria-current", "step");
      for (const sentence of told(number)) item.append(made("p", "", sentence));
      item.addEventListener("click", () => go(number));
      items.push(item);
    }
    log.replaceChildren(...items);
    log.scrollTop = log.scrollHeight;
  };

  // Where the masks lie

  const drawBeliefs = () => {
    const head = made("tr");
    head.append(made("th", "", "slot"));
    for (const mask of game.masks) {
      const cell = made("th", "", mask);
      cell.scope = "col";
      head.append(cell);
    }
    const body = made("tbody");
    view.lying[step].forEach((row, slot) => {
      const line = made("tr");
      const name = slot < game.players
        ? `seat ${slot}: ${called(game.steps[step].player[slot])}` : `centre slot ${slot}`;
      const first = made("th", "", name.length > 30 ? `${name.slice(0, 29)}\u2026` : name);
      first.scope = "row";
      line.append(first);
      const parts = new Map(pairs(row));
      const certain = parts.size === 1 && view.exact[step] === 1;
      for (const mask of game.masks) {
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
      : `The neutral belief of ${viewName(view.viewer)}: each swap by others is a fair coin, and `
        + "nothing is read into what people say. Where the mask is certain it says \u201chere\u201d.";
  };

  // The last of the news, for which there is room on the table, and how many came before.
  const writeNews = () => {
    const news = at("news");
    const items = told(step).map((sentence) => made("li", "", sentence));
    const earlier = made("li");
    for (let before = 0; before === 0 || before < items.length; before += 1) {
      earlier.textContent = `${before} earlier \u2026`;
      news.replaceChildren(...(before ? [earlier] : []), ...items.slice(before));
      if (news.scrollHeight <= news.clientHeight) break;
    }
  };

  const draw = () => {
    const now = game.steps[step];
    at("where").textContent = `${game.scenario}, turn ${now.turn}`;
    at("headline").textContent = game.texts[now.headline];
    at("exact").textContent = view.exact[step] ? "" : "beliefs are approximate";
    at("announced").textContent =
      now.announced < 0 ? "" : `\u201cI am the ${game.masks[now.announced]}\u201d`;
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

  // Moving about; the place in the game stands in the address

  const go = (number) => {
    step = Math.min(Math.max(number, 0), last);
    draw();
    try {
      history.replaceState(null, "", `#step=${step}&view=${view.viewer}`);
    } catch {
      // A page within another page may have no address of its own.
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
    at("play").textContent = "Play";
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
    at("play").textContent = "Pause";
    at("headline").setAttribute("aria-live", "off");
    if (step >= last) go(0);
    timer = setTimeout(playOn, Number(at("speed").value));
  };
  const byHand = (move) => () => {
    pause();
    move();
  };
  const read = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    view = game.views.find((each) => String(each.viewer) === asked.get("view")) || view;
    const number = Number.parseInt(asked.get("step"), 10);
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
  window.addEventListener("resize", writeNews);
  read();
})();
