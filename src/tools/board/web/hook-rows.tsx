import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { HookRow } from '../api.ts'
import { EffectWord } from './effect.tsx'
import { counted } from './format.ts'
import { TableBox } from './parts.tsx'
import { Text } from './text.tsx'

interface HookRowsProps {
  readonly hooks: readonly HookRow[]
  /** Reasons that are already on the page. */
  readonly said?: readonly string[]
}

/** Every hook that matched, with its answer, its time and the file it comes from. Silent guards are only counted. */
export function HookRows({ hooks, said = [] }: HookRowsProps): JSX.Element {
  const [showsAll, setShowsAll] = useState(false)
  const speaking = hooks.filter(({ said, kind }) => said !== 'pass' || kind !== 'guard')
  const silent = hooks.length - speaking.length
  const shown = showsAll ? hooks : speaking
  if (hooks.length === 0) return <p class="quiet">No policy applies to this event.</p>
  return (
    <>
      {shown.length === 0 ? null : (
        <TableBox label="Hooks that matched">
          <table>
            <thead>
              <tr>
                <th scope="col">Answer</th>
                <th scope="col">Hook</th>
                <th scope="col">Layer</th>
                <th scope="col" class="number">
                  Time
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((hook, index) => (
                <tr key={`${hook.id}${index}`}>
                  <td>
                    <EffectWord said={hook.said} />
                  </td>
                  <td>
                    <code>
                      <Text of={hook.id} />
                    </code>
                    {hook.why === '' || said.includes(hook.why) ? null : (
                      <div class="quiet">
                        <Text of={hook.why} />
                      </div>
                    )}
                  </td>
                  <td>
                    {hook.layer}
                    <div class="quiet place">
                      <Text of={`${hook.file}${hook.line === undefined ? '' : `:${hook.line}`}`} />
                    </div>
                  </td>
                  <td class="number">{hook.durationMs.toFixed(2)} ms</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableBox>
      )}
      {silent === 0 ? null : (
        <p class="quiet">
          {counted(silent, 'guard')} had nothing to say.{' '}
          <button type="button" class="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Hide them' : 'Show them'}
          </button>
        </p>
      )}
    </>
  )
}
