"""OTLP/JSON files against OpenTelemetry's own schema (opentelemetry-proto).

Usage: otlp.py FILE. Parses each line as TracesData, unknown fields refused; prints {"spans", "names", "traceIdBytes", "spanIdBytes", "parented"}.
"""

import base64
import json
import sys
from pathlib import Path

from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData


def with_binary_ids(value):
    """The OTLP mapping writes ids in hex where protobuf's own JSON mapping has base64."""
    if isinstance(value, list):
        return [with_binary_ids(each) for each in value]
    if isinstance(value, dict):
        return {k: base64.b64encode(bytes.fromhex(v)).decode() if k in ("traceId", "spanId", "parentSpanId") else with_binary_ids(v) for k, v in value.items()}
    return value


spans = []
for line in Path(sys.argv[1]).read_text(encoding="utf-8").split("\n"):
    if not line:
        continue
    data = json_format.ParseDict(with_binary_ids(json.loads(line)), TracesData(), ignore_unknown_fields=False)
    assert TracesData.FromString(data.SerializeToString()) == data
    spans += [span for r in data.resource_spans for s in r.scope_spans for span in s.spans]
known = {span.span_id for span in spans}
print(json.dumps({
    "spans": len(spans),
    "names": sorted({span.name.split(" ")[0] for span in spans}),
    "traceIdBytes": sorted({len(span.trace_id) for span in spans}),
    "spanIdBytes": sorted({len(span.span_id) for span in spans}),
    "parented": all(not span.parent_span_id or span.parent_span_id in known for span in spans),
    "ordered": all(span.start_time_unix_nano <= span.end_time_unix_nano for span in spans),
}))
