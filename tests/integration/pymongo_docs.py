"""What the raw client wrote into wirebench.read_back; run by docs_test. usage: pymongo_docs.py URI"""

import sys

import bson
import pymongo

client = pymongo.MongoClient(sys.argv[1], serverSelectionTimeoutMS=10_000, socketTimeoutMS=10_000)
documents = list(client.wirebench.read_back.find().sort("_id"))
ids = [each["_id"] for each in documents]
print(f"documents: {len(ids)}, ids {ids[0]} to {ids[-1]}")
print("bytes:", *{len(bson.encode(each)) for each in documents}, "each")
for place in (0, 29, 30, 59, 60, 89):
    number = documents[place]["number"]
    print(f"{ids[place]}: {type(number).__name__} {number}")
client.close()
