"""polars or DuckDB: a CSV of trades into Parquet with exact numbers. Arguments: polars|duckdb FILE"""

import sys

tool, file = sys.argv[1:3]
if tool == 'polars':
    import polars

    types = {'price': polars.Decimal(18, 8), 'qty': polars.Decimal(18, 8)}
    rows = polars.read_csv(file, schema_overrides=types)
    rows.write_parquet(f'{file}.parquet')
    count = rows.height
else:
    import duckdb

    types = "{'price': 'DECIMAL(18,8)', 'qty': 'DECIMAL(18,8)'}"
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{file}', types={types})) TO '{file}.parquet' (FORMAT parquet)")
    count = duckdb.sql(f"SELECT count(*) FROM '{file}.parquet'").fetchall()[0][0]
print(f'{count} trades')
