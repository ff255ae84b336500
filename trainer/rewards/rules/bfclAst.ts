import { judgeLine } from '../bfcl/line';
import { traceReward, type Score } from '../rule';

const FUNCTIONS = [
  {
    name: 'math.area',
    description: 'Area of a triangle.',
    parameters: {
      type: 'dict',
      properties: { base: { type: 'integer' }, height: { type: 'float' }, unit: { type: 'string' } },
      required: ['base', 'height'],
    },
  },
];
const line = (made: object, category = 'simple_python') => ({
  functions: FUNCTIONS,
  ground_truth: [{ 'math.area': { base: [10], height: [5.0], unit: ['sq. cm', ''] } }],
  category,
  ...made,
});

/**
 * BFCL's verdict on its own lines, `{functions, ground_truth, category, calls | text}`: 1 right, 0 wrong. Other lines
 * can't be judged by it.
 */
export const bfclAst = traceReward({
  row: 2,
  description: "BFCL's AST check of {functions, ground_truth, category, calls | text}: right or not",
  source:
    'bfcl-eval 2026.3.23 (PyPI), bfcl_eval/eval_checker/ast_eval/ast_checker.py; the benchmark ' +
    'that ToolRL, CM2 and others report',
  range: [0, 1],
  options: {
    underscores: {
      kind: 'switch',
      default: false,
      description: 'names of functions must be written with _ for ., as models do that BFCL shows them so',
    },
  },
  examples: [
    {
      what: 'a whole number is a float too, and the unit may be left out',
      line: line({ calls: [{ 'math.area': { base: 10, height: 5 } }] }),
      score: 1,
    },
    {
      what: "BFCL's own format; blanks, points and case of a text don't count",
      line: line({ text: "[math.area(base=10, height=5.0, unit='SQ CM')]" }),
      score: 1,
    },
    {
      what: 'a tool call of a chat template',
      line: line({ text: '<tool_call>{"name": "math.area", "arguments": {"base": 10, "height": 5}}</tool_call>' }),
      score: 1,
    },
    { what: '10.0 is no whole number', line: line({ text: '[math.area(base=10.0, height=5)]' }), score: 0 },
    { what: 'a required argument is missing', line: line({ text: '[math.area(base=10)]' }), score: 0 },
    { what: 'an answer in prose', line: line({ text: 'The area is 25.' }), score: 0 },
    {
      what: 'written with _',
      line: line({ calls: [{ math_area: { base: 10, height: 5 } }] }),
      options: { underscores: true },
      score: 1,
    },
  ],
  rule:
    (options) =>
    ({ bfcl }): Score => {
      if (!bfcl) throw new Error('a line must be {functions, ground_truth, category, calls | text}');
      return judgeLine(bfcl, options) === null ? 1 : 0;
    },
});
