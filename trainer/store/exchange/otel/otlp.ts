/**
 * OTLP/JSON, the part of it that traces need. Source: opentelemetry-proto, trace/v1/trace.proto; ids in hex and 64-bit
 * numbers as strings, as its JSON mapping wants.
 */
import { z } from 'zod';

type Json = string | number | boolean;

export interface AnyValue {
  stringValue?: string | undefined;
  boolValue?: boolean | undefined;
  intValue?: string | number | undefined;
  doubleValue?: number | undefined;
  arrayValue?: { values?: AnyValue[] | undefined } | undefined;
  kvlistValue?: { values?: { key: string; value?: AnyValue | undefined }[] | undefined } | undefined;
}

const AnyValue: z.ZodType<AnyValue> = z.lazy(() =>
  z.object({
    stringValue: z.string().optional(),
    boolValue: z.boolean().optional(),
    intValue: z.union([z.string(), z.number()]).optional(),
    doubleValue: z.number().optional(),
    arrayValue: z.object({ values: z.array(AnyValue).optional() }).optional(),
    kvlistValue: z
      .object({ values: z.array(z.object({ key: z.string(), value: AnyValue.optional() })).optional() })
      .optional(),
  }),
);

const Attribute = z.object({ key: z.string(), value: AnyValue.optional() });
const Nanos = z.union([z.string(), z.number()]).optional();
const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number().optional(),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: z.array(Attribute).optional(),
  events: z
    .array(z.object({ name: z.string().optional(), timeUnixNano: Nanos, attributes: z.array(Attribute).optional() }))
    .optional(),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }).optional(),
});
export type Span = z.infer<typeof Span>;

/** Other exporters write more; what is not named here is left alone. */
export const TracesData = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute).optional() }).optional(),
      scopeSpans: z
        .array(
          z.object({
            scope: z.object({ name: z.string().optional(), version: z.string().optional() }).optional(),
            spans: z.array(Span).optional(),
          }),
        )
        .optional(),
    }),
  ),
});
export type TracesData = z.infer<typeof TracesData>;

/** null and undefined are left out: absent is not zero. Whole numbers are ints. */
export function attributes(values: Record<string, Json | string[] | null | undefined>): z.infer<typeof Attribute>[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: Json | string[]): AnyValue {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** Attributes as plain values; an unknown kind of value is left out. */
export function plain(list: readonly z.infer<typeof Attribute>[] | undefined): Record<string, unknown> {
  return Object.fromEntries(
    (list ?? []).map(({ key, value }) => [key, value === undefined ? undefined : plainValue(value)]),
  );
}

function plainValue(value: AnyValue): unknown {
  if (value.arrayValue) return (value.arrayValue.values ?? []).map(plainValue);
  if (value.kvlistValue)
    return Object.fromEntries(
      (value.kvlistValue.values ?? []).map(({ key, value: inner }) => [key, inner && plainValue(inner)]),
    );
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.boolValue ?? value.doubleValue;
}

/** ms since epoch -> ns, as text; a double has not the digits for it. */
export const nanos = (ms: number): string =>
  (BigInt(Math.floor(ms)) * 1_000_000n + BigInt(Math.round((ms - Math.floor(ms)) * 1e6))).toString();

/** ns -> ms since epoch; null: not said, or no number. */
export const millis = (ns: string | number | undefined): number | null =>
  Number.isFinite(Number(ns)) && Number(ns) !== 0 ? Number(ns) / 1e6 : null;
