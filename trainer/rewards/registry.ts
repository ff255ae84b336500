import { adaReasoner } from './rules/adaReasoner';
import { answer } from './rules/answer';
import { bfclAst } from './rules/bfclAst';
import { cm2 } from './rules/cm2';
import { combined } from './rules/combined';
import { compliance } from './rules/compliance';
import { complianceJudge } from './rules/complianceJudge';
import { correctness } from './rules/correctness';
import { efficiency } from './rules/efficiency';
import { exactMatch } from './rules/exactMatch';
import { format } from './rules/format';
import { hdpo } from './rules/hdpo';
import { judge } from './rules/judge';
import { noShell } from './rules/noShell';
import { otc } from './rules/otc';
import { rubric } from './rules/rubric';
import { scribe } from './rules/scribe';
import { searchFirst } from './rules/searchFirst';
import { smart } from './rules/smart';
import { stepEfficiency } from './rules/stepEfficiency';
import { tgrl } from './rules/tgrl';
import { tim } from './rules/tim';
import { timJudge } from './rules/timJudge';
import { toolComp } from './rules/toolComp';
import { toolCompJudge } from './rules/toolCompJudge';
import { toolOrchestra } from './rules/toolOrchestra';
import { toolrl } from './rules/toolrl';
import { toolrla } from './rules/toolrla';
import { toolSuccess } from './rules/toolSuccess';
import type { BuiltInReward } from './rule';

/** The built-in rewards by name. */
export const BUILT_IN_REWARDS: Readonly<Record<string, BuiltInReward>> = {
  correctness,
  answer,
  format,
  efficiency,
  toolSuccess,
  exactMatch,
  stepEfficiency,
  searchFirst,
  noShell,
  combined,
  toolrl,
  toolrla,
  compliance,
  otc,
  hdpo,
  toolOrchestra,
  tgrl,
  smart,
  toolComp,
  tim,
  adaReasoner,
  'bfcl-ast': bfclAst,
  judge,
  rubric,
  cm2,
  scribe,
  toolCompJudge,
  timJudge,
  complianceJudge,
};
