import type { JSX } from 'preact'
import { INVISIBLE } from '../../../core/invisible.ts'

interface TextProps {
  readonly of: string
  /** Newlines stay newlines. */
  readonly lines?: boolean
}

/**
 * Text from outside: names, commands, reasons of tools. Characters that nobody sees, or that turn the direction of the
 * text around, are shown as what they are, so that nothing can be hidden or look like something else.
 */
export function Text({ of, lines = false }: TextProps): JSX.Element {
  const parts: (string | JSX.Element)[] = []
  let from = 0
  for (const match of of.matchAll(INVISIBLE)) {
    const [sign] = match
    if (lines && sign === '\n') continue
    parts.push(of.slice(from, match.index))
    parts.push(
      <span class="invisible" key={match.index}>
        {sign === '\n' ? '↵' : codeOf(sign)}
      </span>,
    )
    from = match.index + sign.length
  }
  parts.push(of.slice(from))
  // Each text has its own direction, so that one cannot turn its neighbours around.
  return <bdi>{parts}</bdi>
}

/** A sentence of ours around such texts: what stands between backquotes is shown as code. */
export function Prose({ of }: { readonly of: string }): JSX.Element {
  const parts = of.split(/`([^`\n]+)`/)
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <code key={`${index}`}>
            <Text of={part} />
          </code>
        ) : (
          <Text key={`${index}`} of={part} lines />
        ),
      )}
    </>
  )
}

/** The same for an attribute. */
export function plainText(text: string): string {
  return text.replaceAll(INVISIBLE, (sign) => (sign === '\n' ? ' ' : codeOf(sign)))
}

function codeOf(sign: string): string {
  return `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
}
