import { type HandlerKind, typeWords } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 5_000,
  section: 'packs',
  isPure: true,
  namesCode: ({ from }) => from !== undefined,
  verb: 'runs',
  describe: typeWords,
}
