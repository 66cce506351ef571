"""Write `tests/fingerprints.json`, and print the entries that change (`make fingerprint`)."""

import json

from tests.fingerprints.compare import differences
from tests.fingerprints.digests import Entries
from tests.fingerprints.groups import FILE, GROUPS


def main() -> None:
    """Compute all fingerprints, in about a minute on an idle core if all is compiled."""
    before = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    found: Entries = {}
    for group, make in GROUPS.items():
        found[group] = make()
        print(f"{group}: done", flush=True)
    FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    changed = list(differences(before, found, FILE.name))
    print("\n".join(changed or ["nothing differs"]))


if __name__ == "__main__":
    main()
