#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause-Patent
"""Prints the bill of materials of a portable folder, as SPDX 2.3 in JSON.

    sbom.py FOLDER VERSION ARCH SECONDS

SECONDS since 1970 is the time that it states. It has each file with its digest and licence, and isovmaf and each source of
sources.tsv that is inside on the architecture ARCH as packages.
"""

import datetime
import hashlib
import json
import pathlib
import re
import sys

import package_files

OWN = "SPDXRef-isovmaf"


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def file_entry(folder, file):
    name = str(file.relative_to(folder))
    content = file.read_bytes()
    licence, _ = package_files.licence_of(name)
    return {"SPDXID": identifier("File", name), "fileName": f"./{name}", "licenseConcluded": licence,
            "licenseInfoInFiles": ["NOASSERTION"], "copyrightText": "NOASSERTION",
            "checksums": [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, content).hexdigest()}
                          for kind in ("sha1", "sha256")]}


def source_entry(name, form):
    kind, package, version, sha256, licence, _, _ = package_files.sources()[name]
    if kind == "tool":
        origin = f"pkg:pypi/{package}@{version}"
    else:
        origin = f"pkg:deb/debian/{package}@{version}" + ("?arch=source" if kind == "source" else "")
    entry = {"SPDXID": identifier("Package", name), "name": name, "versionInfo": version, "licenseConcluded": licence,
             "licenseDeclared": licence, "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
             "filesAnalyzed": False, "comment": f"inside as {form}",
             "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": origin}]}
    if sha256 != "-":
        entry["comment"] += f"; sha256 of its {'.dsc' if kind == 'source' else '.deb'} file: {sha256}"
    return entry


def relation(source, kind, target):
    return {"spdxElementId": source, "relationshipType": kind, "relatedSpdxElement": target}


def document(folder, version, arch, seconds):
    files = [file_entry(folder, file) for file in package_files.files_of(folder) if not file.is_symlink()]
    inside = package_files.sources_inside(arch)
    digest = hashlib.sha256(json.dumps(files).encode()).hexdigest()
    code = hashlib.sha1("".join(sorted(file["checksums"][0]["checksumValue"] for file in files)).encode()).hexdigest()
    own = {"SPDXID": OWN, "name": "isovmaf", "versionInfo": version, "licenseConcluded": "NOASSERTION",
           "licenseDeclared": "BSD-2-Clause-Patent", "copyrightText": "NOASSERTION", "downloadLocation": "NOASSERTION",
           "filesAnalyzed": True, "packageVerificationCode": {"packageVerificationCodeValue": code},
           "hasFiles": [file["SPDXID"] for file in files]}
    links = {"static": "STATIC_LINK", "shared": "DYNAMIC_LINK", "headers": "CONTAINS"}
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", OWN)]
    relations += [relation(OWN, links[form], identifier("Package", name)) for name, form in inside.items()]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": folder.name,
            "documentNamespace": f"urn:isovmaf:{folder.name}:{digest}",
            "creationInfo": {"created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%FT%TZ"),
                             "creators": [f"Tool: isovmaf-sbom-{version}"]},
            "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-licence-text",
                                            "extractedText": "The text of a licence, which may be copied as it is."}],
            "packages": [own, *(source_entry(*item) for item in inside.items())], "files": files,
            "relationships": relations}


if __name__ == "__main__":
    print(json.dumps(document(pathlib.Path(sys.argv[1]), *sys.argv[2:4], int(sys.argv[4])), indent=1))
