/** What a run says of itself besides its figures. Programs go by the code; the message is for people. */
import { z } from 'zod';
import type { Diagnostic } from './task';

export const NOTE_CODES = [
  // the tools and their hosts
  'toolLeftOut',
  'sameDescription',
  'toolsChanged',
  'toolNotLoaded',
  'toolTimesOut',
  'toolEndsHosts',
  'lateToolError',
  'wallsIncomplete',
  'sharedWorld',
  'readsByName',
  'toolNetwork',
  'shownTools',
  'toolGraph',
  'notReadable',
  'callsLost',
  'askFailed',
  'nobodyToAsk',
  // tasks
  'tasksOfUse',
  'requestsKept',
  'otherLanguage',
  'slowTool',
  'callFinding',
  'toolWithoutTasks',
  'deadTools',
  'writerWrote',
  'writerFailed',
  'tasksMade',
  'secretInSources',
  // limits, memory, model, engine
  'budget',
  'toolTextShortened',
  'resultsCut',
  'promptTooLong',
  'taskTooLong',
  'callTooLong',
  'memoryPlan',
  'memoryCrowded',
  'memoryTried',
  'memoryFits',
  'toolTokens',
  'modelPacked',
  'chatFormat',
  'engine',
  // preference pairs
  'pairsTaken',
  'pairsMined',
  'pairLeftOut',
  'pairsOfOtherTools',
  'pairsDisputed',
  // a teacher
  'dialoguesTaken',
  'logitTeacher',
  'sftUpdates',
  'teacherAsked',
  'teacherKept',
  'teacherBudget',
  'teacherStopsEarly',
  // judge and rewards
  'judge',
  'judgeLost',
  'judgeBack',
  'judgeCounts',
  'dominatingComponent',
  'collapsedVariance',
  'lengthDrift',
  'callDrift',
  'scoreWithoutSuccess',
  // the run and its folder
  'setNotMeasured',
  'checkpointChosen',
  'policyAsked',
  'toolsNotShown',
  'tasksUnanswered',
  'checkpointSkipped',
  'notWatchable',
  'lineTorn',
  'lineUnreadable',
  'imported',
  'importedWithoutTimes',
  'importProblem',
] as const;
export const NoteCode = z.enum(NOTE_CODES);
export type NoteCode = z.infer<typeof NoteCode>;

export const NoteLevel = z.enum(['info', 'warning']);
export type NoteLevel = z.infer<typeof NoteLevel>;

export interface Note {
  level: NoteLevel;
  code: NoteCode;
  message: string;
}

/** diagnostic: what of it stands at a place of the user's files, for the editor */
export type TellNote = (level: NoteLevel, code: NoteCode, message: string, diagnostic?: Diagnostic) => void;
