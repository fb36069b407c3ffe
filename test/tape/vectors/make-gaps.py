"""Rows of files that alternate, jump, fall silent and end, and where the gaps are: python3 make-gaps.py > gaps.csv

Each row is judged by looking at all rows of its case again, by the three sentences of what a gap is. It shares nothing with the detector.
The numbers come from a generator that is written out here, so that every Python makes the same file.
"""

CASES, ROWS, SILENCE = 40, 25, 600_000
state = 20_131_008


def below(count):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % count


def case():
    """File, id and time of each row; a file that has ended does not come again."""
    files, time, rows, ids = "abc"[: 1 + below(3)], 0, [], {}
    stride = [1, 1, 1, 3][below(4)]  # Ids of some markets are shared with others, and never step by 1.
    alive = list(files)
    while len(rows) < ROWS and alive:
        time += [0, 10, 5_000, SILENCE - 5_000, SILENCE, SILENCE + 1][below(6) if below(4) == 0 else below(3)]
        name = alive[below(len(alive))]
        ids[name] = ids.get(name, 1_000 * below(5)) + (stride if below(6) else stride + 1 + below(4))
        rows.append((name, ids[name], time))
        if below(10) == 0:
            alive.remove(name)
    return rows


def is_gap(rows, at):
    name, number, time = rows[at]
    if at == 0:
        return False
    own = [i for n, i, _ in rows[:at] if n == name]
    silent = time - rows[at - 1][2] > SILENCE
    if not own:
        begun = {n for n, _, _ in rows[:at]}
        return silent or not any(n in begun for n, _, _ in rows[at:])
    steps = [b - a for a, b in zip(own, own[1:])]
    ones = sum(step == 1 for step in steps)
    return silent or (number - own[-1] != 1 and ones > len(steps) - ones)


print("case,file,id,time_ms,gap")
for index in range(CASES):
    rows = case()
    for at, (name, number, time) in enumerate(rows):
        print(f"{index + 1},{name},{number},{time},{'yes' if is_gap(rows, at) else 'no'}")
