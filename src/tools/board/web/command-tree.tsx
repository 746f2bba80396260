import type { JSX } from 'preact'
import type { CommandPart, CommandTree } from '../../explain/command-tree.ts'
import { Text } from './text.tsx'

/** A command as Holdpoint read it: what runs inside what, and what each part would do. */
export function CommandTreeView({ tree }: { readonly tree: CommandTree }): JSX.Element {
  if (tree.kind === 'unread') {
    return (
      <p class="notice">
        This command could not be read: <Text of={tree.why} />.
      </p>
    )
  }
  return (
    <>
      {tree.hidden === undefined ? null : (
        <p class="notice problem">
          It contains something that a person does not see: <Text of={tree.hidden} />.
        </p>
      )}
      <ul class="tree">
        {tree.parts.map((part, index) => (
          <Part key={index} part={part} />
        ))}
      </ul>
    </>
  )
}

function Part({ part }: { readonly part: CommandPart }): JSX.Element {
  return (
    <li>
      <code class={part.isStep ? 'tree-step' : 'tree-command'}>
        <Text of={part.text} />
      </code>
      {part.remote === undefined ? null : (
        <span class="quiet">
          {' '}
          in <Text of={part.remote} />
        </span>
      )}
      {part.unknown === undefined ? null : (
        <p class="quiet">
          not known before it runs: <Text of={part.unknown} />
        </p>
      )}
      {part.effects.length === 0 ? null : (
        <ul class="tree-effects">
          {part.effects.map(({ kind, group, text, unsure }) => (
            <li key={`${kind} ${text}`}>
              <span class={`kind kind-${group ?? kind}`}>{GROUPS[group ?? ''] ?? kind}</span>{' '}
              <Text of={text} />
              {unsure === undefined ? null : (
                <span class="quiet">
                  {' '}
                  (not certain: <Text of={unsure} />)
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {part.parts.length === 0 ? null : (
        <ul>
          {part.parts.map((each, index) => (
            <Part key={index} part={each} />
          ))}
        </ul>
      )}
    </li>
  )
}

const GROUPS: Readonly<Record<string, string>> = {
  privilege: 'privilege',
  'git-discard': 'git',
  'git-history': 'git',
  'remote-mutate': 'remote',
  'data-destroy': 'data',
  'system-change': 'system',
}
