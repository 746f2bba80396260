import type { SimpleCommand } from '../vocabulary/command.ts'
import { type FileName, type NetEffect, namedFiles, pathOf, spellPath } from '../vocabulary/effect.ts'

/** `/dev/tcp/HOST/PORT`, which the shell itself opens as a connection. */
export function connectionOf(
  file: FileName,
  home: string,
): { readonly host: string | undefined } | undefined {
  const first = file.form[0]
  if (first?.kind !== 'text' || !/^\/+dev\/+(tcp|udp)\//.test(first.text)) return undefined
  const path = pathOf(file, home)
  const known = spellPath(path).split('/')
  if (path.parts.length < 4 || known[1] !== 'dev') return undefined
  const host = path.parts[2]?.every((piece) => piece.kind === 'text') ? known[3] : undefined
  return { host: host?.toLowerCase() }
}

/** The connections a command is joined to by its redirections. */
export function connectionEffects(command: SimpleCommand, home: string): readonly NetEffect[] {
  if (command.redirections.length === 0) return []
  return command.redirections.flatMap(({ operator, target }) =>
    namedFiles(target, command.cwd).flatMap((file): NetEffect[] => {
      const connection = connectionOf(file, home)
      if (connection === undefined) return []
      const { host } = connection
      const received: NetEffect[] = operator.includes('<') ? [{ kind: 'net', direction: 'in', host }] : []
      return operator.includes('>') ? [{ kind: 'net', direction: 'out', host }, ...received] : received
    }),
  )
}
