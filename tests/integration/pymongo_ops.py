"""pymongo's ops against the null MongoDB; run by foreign_drivers_test. usage: pymongo_ops.py URI"""

import sys

import bson
import pymongo
import pymongo.monitoring


class Commands(pymongo.monitoring.CommandListener):
    """The commands that were answered well, in their order: close() hides a failure of endSessions."""

    def __init__(self):
        self.names = []

    def started(self, event):
        pass

    def succeeded(self, event):
        self.names.append(event.command_name)

    def failed(self, event):
        self.names.append(f"{event.command_name} failed")


commands = Commands()
client = pymongo.MongoClient(
    sys.argv[1], event_listeners=[commands], serverSelectionTimeoutMS=10_000, socketTimeoutMS=10_000
)
docs = client.wirebench.docs
print("ping:", client.admin.command("ping")["ok"])
print("insert_one:", "acknowledged" if docs.insert_one({"data": bytes(350)}).acknowledged else "lost")
print("insert_many:", len(docs.insert_many({"n": n} for n in range(1000)).inserted_ids), "ids")
wanted = bson.ObjectId()
print("find_one:", "the document asked for" if docs.find_one({"_id": wanted})["_id"] == wanted else "another")
print("find:", len(list(docs.find({}, batch_size=100))), "document")
client.close()
print("commands:", *commands.names)
