import { foundPaths, readFind } from '../find.ts'
import type { ShellEffect } from '../vocabulary/effect.ts'
import { writes } from './files/placing.ts'
import { deletions } from './files/reached.ts'
import type { Model, ModelCases } from './model.ts'

/** What `find` does itself. What it runs (`-exec`) is a command of its own, with what was found in place of `{}`. */
export const find: Model = {
  programs: ['find'],
  effects({ command }) {
    const call = readFind(command.args)
    const deleted = call.actions
      .filter((action) => action.name === '-delete')
      .flatMap((action) => deletions(foundPaths(call, action), command.cwd, { recursive: true }))
    return [...deleted, ...call.lists.flatMap((file): readonly ShellEffect[] => writes(file, command.cwd))]
  },
}

export const cases: ModelCases = [
  ['find . -delete', 'delete /srv/project recursive'],
  ['find -delete', 'delete /srv/project recursive'],
  ['find . -type f -delete', 'delete /srv/project recursive'],
  ["find . -name '*.pyc' -delete", 'delete /srv/project/‹{}›/*.pyc recursive narrowed'],
  ["find . -delete -name '*.pyc'", 'delete /srv/project recursive'],
  ["find . -name '*' -delete", 'delete /srv/project recursive'],
  ["find a -not -name '*.c' -delete", 'delete /srv/project/a recursive'],
  ["find a ! ! -name '*.c' -delete", 'delete /srv/project/a/‹{}›/*.c recursive narrowed'],
  ['find a -name x -o -delete', 'delete /srv/project/a recursive'],
  ['find a -name x -o -name y -delete', 'delete /srv/project/a/‹{}›/y recursive narrowed'],
  [
    "find a \\( -name x -o -name '*.y' \\) -type f -delete",
    'delete /srv/project/a/‹{}›/x recursive narrowed',
    'delete /srv/project/a/‹{}›/*.y recursive narrowed',
  ],
  ['find a \\( -name x -o -type f \\) -delete', 'delete /srv/project/a recursive'],
  ['find . -path ./node_modules -prune -o -type f -delete', 'delete /srv/project recursive'],
  ['find a -name x , -delete', 'delete /srv/project/a recursive'],
  [
    'find a b -mtime +7 -delete',
    'delete /srv/project/a/‹{…}› recursive narrowed',
    'delete /srv/project/b/‹{…}› recursive narrowed',
  ],
  ['find a -empty -delete', 'delete /srv/project/a/‹{…}› recursive narrowed'],
  ['find a -user dev -delete', 'delete /srv/project/a recursive'],
  ["find . -path './src/*' -delete", 'delete /srv/project/src recursive'],
  ["find . -path './src/*' -name '*.bak' -delete", 'delete /srv/project/src/‹{}›/*.bak recursive narrowed'],
  ["find . \\( -path './a/*' -o -path './b/*' \\) -delete", 'delete /srv/project/‹{…}› recursive narrowed'],
  ["find . -path '*/cache/*' -delete", 'delete /srv/project/‹{…}› recursive narrowed'],
  ["find . -path './src/*.bak' -delete", 'delete /srv/project/‹{}›/*.bak recursive narrowed'],
  ["find . -iname '*.BAK' -delete", 'delete /srv/project/‹{}›/*.bak recursive narrowed'],
  ["find . -regex '.*[.]bak' -delete", 'delete /srv/project/‹{}›/*[.]bak recursive narrowed'],
  ["find . -not -path './src/*' -delete", 'delete /srv/project recursive'],
  ['find "$D" -delete', 'delete ‹$D› recursive'],
  ['find a -name "$P" -delete', 'delete /srv/project/a recursive ?'],
  ['find a -del$X', 'delete /srv/project/a recursive'],
  ['find a -files0-from list -delete', 'delete ‹-files0-from› recursive'],
  ['find / -fprint /etc/list', 'write /etc/list'],
  ["find . -fprintf out '%p' -name x", 'write /srv/project/out'],
  ["find . -name '*.ts'"],
  ['find . -exec rm {} +'],
  ["find . -path './src/*' -print"],
  ["find . -ipath '*/SRC/*' -type f"],
  ["find . -regextype posix-extended -regex '.*[.](ts|js)'"],
  ['find / -name delete -print0'],
  ["find . -name '*-delete*' -ls"],
  ['find ~ -type d -name -delete'],
  ['find . -newer a -printf "%p -delete"'],
  ['find . -exec echo -delete {} ;'],
  ['find --help'],
]
