"""Which of the documents a JSON Schema accepts, by jsonschema: for each the place of the first fault, or null."""

import json
import sys

import jsonschema


def fault(validator, document):
    found = next(validator.iter_errors(document), None)
    return None if found is None else f"{found.json_path}: {found.message[:200]}"


question = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(question["schema"])
validator = jsonschema.Draft202012Validator(question["schema"])
print(json.dumps([fault(validator, document) for document in question["documents"]]))
