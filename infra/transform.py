"""Writes template.yaml as CloudFormation sees it: the SAM transform's result.

    transform.py template.yaml > template.json

It is run by the SAM CLI's own Python, and so by the translator that `sam
validate` checks with. A function's code is taken to lie in a bucket named
packages, under the name that `make package` gives it.
"""

import json
import sys

from samcli.lib.translate.sam_template_validator import SamTemplateValidator
from samcli.yamlhelper import yaml_parse


class NoPolicies:
    """AWS's managed policies, of which the template names none."""

    def load(self):
        return {}


def main(path):
    with open(path, encoding="utf-8") as file:
        template = yaml_parse(file.read())
    for name, resource in template["Resources"].items():
        if resource["Type"] == "AWS::Serverless::Function":
            package = name.removesuffix("Function").lower()
            resource["Properties"]["CodeUri"] = f"s3://packages/{package}.zip"
    validator = SamTemplateValidator(template, NoPolicies(), region="us-east-1")
    transformed = yaml_parse(validator.get_translated_template_if_valid())
    json.dump(transformed, sys.stdout, indent=1, default=str)
    sys.stdout.write("\n")


main(sys.argv[1])
