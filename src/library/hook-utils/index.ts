/**
 * For authors of hook scripts: read the event, answer it, write a log line, find the handoff. Everything here is
 * pure; your script does the reading and writing.
 */
export type {
  Handoff,
  HandoffBlock,
  HandoffCheck,
} from '../../policy/handoff/contract.ts'
export { readHandoff } from '../../policy/handoff/contract.ts'
export { answerEvent, type HookEvent, type HookReply, type ScriptAnswer } from './answer-event.ts'
export { logLine } from './log-line.ts'
