"""psycopg's ops against the null PostgreSQL; run by foreign_drivers_test. usage: psycopg_ops.py URI"""

import os
import sys
import tempfile

import psycopg

connection = psycopg.connect(sys.argv[1], autocommit=True, connect_timeout=10)
print("SELECT 1:", connection.execute("SELECT 1").fetchone())

# After five runs of a statement psycopg prepares it: five unnamed Parse and one with a name.
with tempfile.TemporaryFile() as trace:
    connection.pgconn.trace(trace.fileno())
    numbers = [connection.execute("SELECT %s::int4", [n]).fetchone()[0] for n in range(10)]
    connection.pgconn.untrace()
    trace.seek(0)
    parses = trace.read().count(b"\tParse\t")
print(f"SELECT %s::int4: {numbers}, {parses} Parse")

inserted = connection.execute("INSERT INTO wirebench_rows (data) VALUES (%s)", [os.urandom(400)])
print("insert:", inserted.statusmessage)


def status():
    return connection.info.transaction_status.name


with connection.transaction():
    connection.execute("SELECT 1")
    inside = status()
print(f"transaction: {inside}, then {status()}")

with connection.transaction(force_rollback=True):
    connection.execute("SELECT 1")
    inside = status()
print(f"rolled back: {inside}, then {status()}")
connection.close()
