/**
 * Stands in for zod in the page's bundle. The page takes types and the fold from trainer/protocol and parses nothing
 * (the host did), but
 * the schemas are made when those modules load, so without this the page would carry zod's 450 KB for nothing. Every
 * use gives itself back.
 */
const nothing: unknown = new Proxy(() => nothing, { get: () => nothing, apply: () => nothing });
export const z = nothing;
