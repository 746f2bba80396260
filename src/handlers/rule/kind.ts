import { type HandlerKind, typeWords } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 2_000,
  section: 'rules',
  isPure: true,
  namesCode: () => false,
  verb: 'runs',
  describe: typeWords,
}
