import { adaReasoner } from './rewards/adaReasoner';
import { answer } from './rewards/answer';
import { bfclAst } from './rewards/bfclAst';
import { cm2 } from './rewards/cm2';
import { combined } from './rewards/combined';
import { compliance } from './rewards/compliance';
import { complianceJudge } from './rewards/complianceJudge';
import { correctness } from './rewards/correctness';
import { efficiency } from './rewards/efficiency';
import { exactMatch } from './rewards/exactMatch';
import { format } from './rewards/format';
import { hdpo } from './rewards/hdpo';
import { judge } from './rewards/judge';
import { noShell } from './rewards/noShell';
import { otc } from './rewards/otc';
import { rubric } from './rewards/rubric';
import { scribe } from './rewards/scribe';
import { searchFirst } from './rewards/searchFirst';
import { smart } from './rewards/smart';
import { stepEfficiency } from './rewards/stepEfficiency';
import { tgrl } from './rewards/tgrl';
import { tim } from './rewards/tim';
import { timJudge } from './rewards/timJudge';
import { toolComp } from './rewards/toolComp';
import { toolCompJudge } from './rewards/toolCompJudge';
import { toolOrchestra } from './rewards/toolOrchestra';
import { toolrl } from './rewards/toolrl';
import { toolrla } from './rewards/toolrla';
import { toolSuccess } from './rewards/toolSuccess';
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
