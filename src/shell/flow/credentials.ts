import { programOf } from '../programs/index.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText } from '../words/words.ts'

/** What secret the command prints, or undefined. */
export function credentialPrinted({ name, args }: SimpleCommand): string | undefined {
  const rules = programOf(name)?.credentials
  if (rules === undefined) return undefined
  const texts = args.map((word) => exactText(word) ?? word.source)
  if (texts.some((word) => /^(--help|-h|help)$/.test(word))) return undefined
  const plain = texts.filter((word) => !word.startsWith('-')).join(' ')
  const whole = ` ${texts.join(' ')} `
  return rules.find(([, verbs, words]) => verbs.test(plain) && words?.test(whole) !== false)?.[0]
}
