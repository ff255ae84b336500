/**
 * Text of others inside the judge's question. The question is laid out by us: `<attempt …>` around each attempt, a
 * label at the beginning of each of its lines. Text of a task, a model or a tool must look like neither, nor like a
 * chat template's own marks (`<|im_end|>`): whatever it says, it stays where it was put.
 */
const LINE_ENDS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** `<` is written `&lt;`, and lines after the first are indented, so that none of them begins as a label does. */
export const framed = (text: string): string => text.replaceAll('<', '&lt;').replace(LINE_ENDS, '\n    ');

/** What the judge is told of it. */
export const FRAME_RULE = 'In that text < is written as &lt;, so no mark in it is ours.';

/** As it was written before, for comparing what a judge quotes with what it read. */
export const unframed = (text: string): string => text.replaceAll('&lt;', '<');
