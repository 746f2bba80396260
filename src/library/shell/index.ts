/** `holdpoint/shell`: what a shell command would do, for programs that need nothing else of Holdpoint. */

export type { ActId } from '../../shell/programs/act-ids.ts'
export { analyze } from './analyze.ts'
export type {
  AnalyzedAct,
  AnalyzedCommand,
  AnalyzedEffect,
  AnalyzedFile,
  AnalyzedRun,
  AnalyzedTransfer,
  AnalyzeOptions,
  ReadableCommand,
  ShellAnalysis,
  UnreadableCommand,
} from './types.ts'
