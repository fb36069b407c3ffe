"""Runs the code cells of a notebook as Jupyter would, and prints the notebook with their outputs: run-notebook.py FILE"""

import ast
import contextlib
import io
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)

scope = {"__name__": "__main__"}
count = 0


def lines(text):
    return text.splitlines(keepends=True)


for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    count += 1
    body = ast.parse("".join(cell["source"])).body
    # The value of a last line that is an expression is shown.
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec"), scope)
        value = None if last is None else eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), scope)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        data = {"text/plain": lines(repr(value))}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = lines(value._repr_svg_())
        outputs.append({"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"})
    cell["execution_count"] = count
    cell["outputs"] = outputs

json.dump(notebook, sys.stdout, indent=1, ensure_ascii=False)
print()
