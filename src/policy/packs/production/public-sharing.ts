import { toolOf } from '../../../core/event.ts'
import type { Guard, GuardMatch } from '../../../core/guard.ts'
import { isObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { textWithHoles } from '../../../shell/words/words.ts'
import { isShellCall, shellOf, unreadableMatch } from '../../analysis/shell-of.ts'
import { strongest } from '../strongest.ts'
import { publicFlag, publicText, publicValue } from './public-words.ts'

/** Documents, buckets and pages that everyone could open. */
export const publicSharing: Guard = {
  id: 'production/public-sharing',
  title: 'Making something public',
  why: 'Public data may be copied before you notice the mistake.',
  instead: 'share it only with the people who need it, by name, or let the user make it public.',
  on: ['PreToolUse'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      { tool: 'mcp__gdrive__create_permission', input: { fileId: '1', role: 'reader', type: 'anyone' } },
      { tool: 'mcp__gdrive__call', input: { body: '{"role":"reader","type":"anyone"}' } },
      { tool: 'mcp__gdrive__call', input: { body: "{'role': 'reader', 'type': 'anyone'}" } },
      { tool: 'mcp__gdrive__call', input: { body: '{\\"type\\": \\"anyone\\"}' } },
      { tool: 'mcp__docs__share', input: { options: { visibility: 'public' } } },
      { tool: 'mcp__docs__share', input: { permissions: [{ withLink: true, role: 'reader' }] } },
      { tool: 'mcp__gcs__set_iam', input: { bindings: [{ members: ['allUsers'] }] } },
      `gws drive permissions create --params '{"fileId":"1"}' --json '{"role":"reader","type":"anyone"}'`,
      `curl -X POST https://www.example.com/drive/v3/files/1/permissions -d '{"type": "anyone", "role": "reader"}'`,
      `curl -d "{\\"visibility\\":\\"public\\"}" https://example.com/api/docs/1`,
      `curl https://example.com/share -d type=anyone -d role=reader`,
      `python3 -c "drive.permissions().create(fileId='1', body={'type': 'anyone', 'role': 'reader'}).execute()"`,
      'gam user bob add drivefileacl 123 anyone role reader withlink',
      'gh repo edit --visibility public --accept-visibility-change-consequences',
      'gh repo edit o/r --visibility=public',
      'gh repo create o/r --public',
      'gdrive permissions create FILE --type=anyone --role=reader',
      'gdrive share --type anyone --role reader FILE',
      'gh gist create --public notes.md',
      'gh gist create -p notes.md',
      'aws s3api put-object-acl --bucket b --key k --acl public-read',
      'aws s3 cp a.html s3://b/ --acl=public-read-write',
      'gsutil iam ch allUsers:objectViewer gs://bucket',
      'gsutil acl ch -u AllUsers:R gs://bucket/x',
      'gcloud storage buckets add-iam-policy-binding gs://b --member=allUsers --role=roles/storage.objectViewer',
      'az storage container set-permission --name c --public-access blob',
      `gh api -X PATCH repos/o/r -f visibility=public`,
    ],
    passes: [
      {
        tool: 'mcp__gdrive__create_permission',
        input: { fileId: '1', type: 'user', emailAddress: 'a@example.com' },
      },
      { tool: 'mcp__docs__share', input: { visibility: 'private' } },
      { tool: 'mcp__docs__share', input: { withLink: false } },
      { tool: 'mcp__search__query', input: { text: 'how to share with type anyone' } },
      {
        tool: 'mcp__github__create_issue',
        input: { title: 'Make the repository public?', body: 'visibility' },
      },
      { tool: 'mcp__docs__list_permissions', input: { filter: 'type=anyone' } },
      { tool: 'Write', input: { file_path: 'a.json', content: '{"type":"anyone"}' } },
      'gh repo create o/r --private',
      'gh repo view o/r --json visibility',
      'gdrive permissions list FILE --type anyone',
      'gh repo list --visibility public',
      'gh gist create notes.md',
      'gh gist list --public',
      'aws s3 cp a.html s3://b/ --acl private',
      'aws s3api get-object-acl --bucket b --key k',
      `echo '{"type":"anyone"}'`,
      `grep -rn '"type": "anyone"' src`,
      `jq 'select(.type == "anyone")' permissions.json`,
      `git commit -m 'stop sharing with type=anyone'`,
      `curl -d '{"type": "user", "role": "reader"}' https://example.com/permissions`,
      'curl https://example.com/permissions?type=anyone',
      'gws drive permissions list --params \'{"fileId":"1"}\'',
      'kubectl get svc --show-labels visibility=public',
      'gsutil iam get gs://bucket',
      'gsutil iam ch -d allUsers:objectViewer gs://bucket',
    ],
  },
  check({ event, facts }) {
    if (!isShellCall(event)) {
      const tool = toolOf(event)
      return tool?.name.startsWith('mcp__') === true ? inTool(tool.name, tool.input) : null
    }
    const analysis = shellOf(event, facts)
    if (!analysis.judged)
      return unreadableMatch(event, analysis.why, /anyone|allUsers|public-read/, 'may make something public')
    return strongest(analysis.commands, inCommand)
  },
}

/** Tools that only read, and tools that write text for people. */
const LOOKS = /(?:^|_)(?:get|list|read|search|find|query|view|describe|comment|issue|note)(?:_|s?$)/i

function inTool(name: string, input: JsonObject): GuardMatch | null {
  const verb = name.split('__').at(-1) ?? ''
  const fragment = LOOKS.test(verb) ? undefined : found(input, 0)
  return fragment === undefined ? null : { caught: 'makes something public', fragment }
}

const DEPTH_MAX = 12

function found(value: Json, depth: number, key = ''): string | undefined {
  if (depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return firstOf(value, (each) => found(each, depth + 1, key))
  if (isObject(value)) return firstOf(Object.entries(value), ([name, each]) => found(each, depth + 1, name))
  if (publicValue(key, value)) return `${key}: ${String(value)}`
  return typeof value === 'string' ? publicText(value) : undefined
}

function firstOf<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const seen = look(item)
    if (seen !== undefined) return seen
  }
  return undefined
}

function inCommand(command: SimpleCommand): GuardMatch | null {
  const here = command.redirections
    .filter(({ operator }) => operator.startsWith('<<'))
    .map(({ target }) => target)
  const words = [...command.args, ...here].map((word) => word.forms.map(textWithHoles).join(' '))
  const fragment = publicFlag(command.name ?? '', words)
  if (fragment === undefined) return null
  const detail = { effect: `public: ${fragment}`, via: [...command.via], at: [command.start, command.end] }
  return { caught: 'makes something public', fragment: command.fragment, detail }
}
