import type { GuardMatch } from '../../../../core/guard.ts'
import type { SimpleCommand } from '../../../../shell/vocabulary/command.ts'
import { hostOf, isLocalHost } from '../../../../shell/words/hosts.ts'
import { exactText, type Word } from '../../../../shell/words/words.ts'
import { commandsOf, detector, shellGuard } from '../../shell-guard.ts'

export const httpDelete = shellGuard({
  id: 'safety/remote/http-delete',
  title: 'Deleting something through a web API',
  why: 'Data that a service deletes often cannot be restored, and other people may use it.',
  instead: 'look at it first (`curl -s https://api.example.com/items/1`), and let the user delete it.',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'curl -X DELETE https://api.example.com/items/1',
      'curl -XDELETE https://api.example.com/items/1',
      'curl -sS --request DELETE -H "Authorization: Bearer x" https://api.example.com/items/1',
      'curl --request=delete https://api.example.com/items/1',
      'curl -fsSXDELETE https://api.example.com/items/1',
      "curl -X DELETE 'https://search.example.com/logs-*'",
      `curl -X POST localhost:9200/logs/_delete_by_query -d '{"query":{"match_all":{}}}'`,
      'curl -X DELETE http://localhost:9200/_all',
      'curl -XDELETE localhost:9200/users',
      'wget --method=DELETE https://api.example.com/items/1',
      'http DELETE https://api.example.com/items/1',
      'xh delete https://api.example.com/items/1',
      'curl -X "$METHOD" https://api.example.com/items/1',
      'curl -X DELETE "$API/items/1"',
    ],
    passes: [
      'curl https://api.example.com/items/1',
      'curl -X POST -d x https://api.example.com/items',
      'curl -X DELETE http://localhost:3000/items/1',
      'curl -X DELETE http://127.0.0.1:8080/items/1',
      'curl -d "DELETE" https://api.example.com/items',
      'curl -H "X-HTTP: DELETE" https://api.example.com/items',
      'curl http://localhost:9200/_cat/indices',
      'wget https://example.com/DELETE',
      'http GET https://api.example.com/items',
      'http DELETE :3000/items/1',
      'curl -o DELETE https://example.com/a',
    ],
  },
  mentions: /^(?=.*\bcurl\b)(?=.*\bDELETE\b)/s,
  maybe: 'may delete something through a web API',
  detectors: [detector(commandsOf(new Set(['curl', 'wget', 'http', 'https', 'xh', 'xhs'])), judge)],
})

function judge(command: SimpleCommand): GuardMatch | null {
  const deletes = asksToDelete(command)
  if (deletes === 'no' || !command.args.some(isRemote)) return null
  return {
    caught: 'deletes something through a web API',
    fragment: command.fragment,
    ...(deletes === 'yes' ? {} : { unsure: 'the HTTP method is known only at run time' }),
  }
}

function asksToDelete({ name, args }: SimpleCommand): 'yes' | 'maybe' | 'no' {
  switch (name) {
    case 'curl':
      if (args.some((word) => /\/_delete_by_query\b/.test(word.source))) return 'yes'
      return isDelete(
        optionValue(args, /^-[a-zA-Z#]*X$|^--req(uest|ues|ue|u)?$/, /^-[a-zA-Z#]*?X(.+)$|^--request=(.+)$/),
      )
    case 'wget':
      return isDelete(optionValue(args, /^--method$/, /^--method=(.+)$/))
    case 'http':
    case 'https':
    case 'xh':
    case 'xhs':
      return isDelete(args.find((word) => !word.source.startsWith('-')))
    default:
      return 'no'
  }
}

/** The word after the option, or the text attached to it. */
function optionValue(args: readonly Word[], alone: RegExp, attached: RegExp): Word | string | undefined {
  for (const [at, word] of args.entries()) {
    const text = exactText(word) ?? ''
    if (alone.test(text)) return args[at + 1]
    const found = attached.exec(text)
    if (found !== null) return found[1] ?? found[2]
  }
  return undefined
}

function isDelete(method: Word | string | undefined): 'yes' | 'maybe' | 'no' {
  if (method === undefined) return 'no'
  const text = typeof method === 'string' ? method : exactText(method)
  if (text === undefined) return typeof method !== 'string' && method.source.includes('://') ? 'no' : 'maybe'
  return /^delete$/i.test(text) ? 'yes' : 'no'
}

/** An address of another machine, or of a search engine's data on this machine. */
function isRemote(word: Word): boolean {
  const text = exactText(word) ?? word.source.replace(/^["']/, '')
  if (!/^([a-z]+:\/\/|[\w.-]+(:\d+)?(\/|$)|\$|:\d)/i.test(text) || !/[./:$]/.test(text)) return false
  if (/:9200\/./.test(text)) return true
  return /:\/\/|^\$|^[\w-]+(\.[\w-]+)+\//.test(text) && !isLocalHost(hostOf(word))
}
