"""pymongo's GridFS as the other side of the raw client; run by gridfs_test.

usage: pymongo_gridfs.py write|read URI PREFIX CHUNK_SIZE LENGTH...

Writes files with the `_id` PREFIX-LENGTH, or reads such files and tells what they are, with their SHA-256.
The byte at offset i is (7 * i + i // 251) % 256. Both ways it tells the indexes of the bucket at the end.
"""

import hashlib
import sys

import gridfs
import pymongo

mode, uri, prefix, chunk_size, *lengths = sys.argv[1:]
client = pymongo.MongoClient(uri, serverSelectionTimeoutMS=10_000, socketTimeoutMS=10_000)
bucket = gridfs.GridFSBucket(client.wirebench)


def content(length):
    period = bytes((7 * i + i // 251) % 256 for i in range(min(length, 251 * 256)))
    return (period * (length // len(period) + 1))[:length] if period else b""


for length in map(int, lengths):
    name = f"{prefix}-{length}"
    if mode == "write":
        bucket.upload_from_stream_with_id(name, f"{name}.bin", content(length), chunk_size_bytes=int(chunk_size))
        print("written:", name)
        continue
    with bucket.open_download_stream(name) as file:
        digest = hashlib.sha256(file.read()).hexdigest()
        print(
            f"{name}: {file.length} bytes in {client.wirebench.fs.chunks.count_documents({'files_id': name})} chunks of",
            f"{file.chunk_size}, {digest}, {file.filename}, {file.metadata},",
            file.upload_date.year >= 2024,
        )
for collection in (client.wirebench.fs.files, client.wirebench.fs.chunks):
    print("indexes:", *sorted(collection.index_information()))
client.close()
