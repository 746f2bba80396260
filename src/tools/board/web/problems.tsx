import type { JSX } from 'preact'
import type { Problem as ConfigProblem } from '../../../core/errors.ts'
import { Prose, Text } from './text.tsx'

/** What is wrong in configuration files: what, where, and what to do. */
export function Problems({ problems }: { readonly problems: readonly ConfigProblem[] }): JSX.Element {
  return (
    <ul class="problems">
      {problems.map(({ code, message, file, line, fix, severity }) => (
        <li key={`${code}${file}${line}${message}`} class={severity === 'warning' ? 'warning' : 'error'}>
          <p>
            <b>{severity === 'warning' ? 'Warning' : 'Problem'}:</b> <Prose of={message} />
          </p>
          {file === undefined ? null : (
            <p class="place">
              <code>
                <Text of={`${file}${line === undefined ? '' : `:${line}`}`} />
              </code>
            </p>
          )}
          {fix === undefined ? null : (
            <p class="quiet">
              <Prose of={fix} />
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
