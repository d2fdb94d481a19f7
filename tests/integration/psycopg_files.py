"""psycopg as the other side of the raw client's transfers; run by file_rows_test.

usage: psycopg_files.py write|read bytea|chunks|object URI CHUNK_SIZE FIRST LENGTH...

Writes files of those lengths, or reads them and tells their SHA-256. The key or OID of a file is FIRST plus its length.
The byte at offset i is (7 * i + i // 251) % 256.
"""

import hashlib
import sys

import psycopg

mode, kind, uri, chunk_size, first, *lengths = sys.argv[1:]
chunk_size = int(chunk_size)
connection = psycopg.connect(uri, connect_timeout=10)


def content(length):
    return bytes((7 * i + i // 251) % 256 for i in range(length))


def write_bytea(key, data):
    connection.execute("INSERT INTO wirebench_bytea (id, data) VALUES (%s, %s)", [key, data])


def read_bytea(key):
    cursor = connection.cursor(binary=True)
    return cursor.execute("SELECT data FROM wirebench_bytea WHERE id = %s", [key]).fetchone()[0]


def write_chunks(key, data):
    with connection.cursor().copy("COPY wirebench_chunks (file, n, data) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["int8", "int4", "bytea"])
        for n, at in enumerate(range(0, len(data), chunk_size)):
            copy.write_row([key, n, data[at : at + chunk_size]])


def read_chunks(key):
    cursor = connection.cursor(binary=True)
    rows = cursor.execute("SELECT n, data FROM wirebench_chunks WHERE file = %s ORDER BY n", [key]).fetchall()
    assert [n for n, _ in rows] == list(range(len(rows))), "chunks are missing"
    assert all(len(data) == chunk_size for _, data in rows[:-1]), "chunks of another size"
    return b"".join(data for _, data in rows)


def write_object(key, data):
    connection.execute("SELECT lo_from_bytea(%s::oid, %s)", [key, data])


def read_object(key):
    return connection.cursor(binary=True).execute("SELECT lo_get(%s::oid)", [key]).fetchone()[0]


for length in map(int, lengths):
    key = int(first) + length
    if mode == "write":
        globals()[f"write_{kind}"](key, content(length))
        print("written:", length)
    else:
        print(f"{length}: {hashlib.sha256(globals()[f'read_{kind}'](key)).hexdigest()}")
connection.commit()
connection.close()
