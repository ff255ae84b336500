/** What a text must hold to be worth a look: a file without any of these defines no tool. */

/** `@tool`, `@ns.tool`, `tool as t`. */
export const TAG_MARK = /@tool\b|\.tool\b|\btool\s+as\b/;

/**
 * A library that defines tools, a call of its method, OpenAI's form of a tool, or an import of something with "tool" in
 * its name from a file of the user's, which may hand the library on.
 */
export const DEFINED_MARK =
  /['"](?:ai|@ai-sdk\/provider-utils|@openai\/agents(?:-core|-realtime)?|(?:@langchain\/core|langchain)(?:\/tools)?|@modelcontextprotocol\/(?:sdk|server)[^'"]*)['"]|\.registerTool\s*\(|\btype['"]?\s*:\s*['"]function['"]|\bimport\b[^;'"]*tool[^;'"]*\bfrom\s*['"][.#~@]/i;

export const mayHoldTools = (text: string): boolean => TAG_MARK.test(text) || DEFINED_MARK.test(text);
