import { valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  strongerOf,
  type VerbCall,
  type VerbProgram,
  valueIs,
} from '../../arguments/verbs.ts'
import { exactTexts, exactWord } from '../../words/words.ts'
import { TUNNEL } from '../network/acts.ts'
import { posting } from '../network/senders.ts'
import type { ProgramTable } from '../program.ts'
import { DELETE, DELETE_REPOSITORY, HOST_CHANGE } from './host-acts.ts'

const PROGRAM: VerbProgram = {
  options: `
    R|repo= hostname= X|method= f|raw-field= F|field= H|header= q|jq= t|template|title= input= p|preview=
    cache= b|body= B|base= visibility= e|env= o|org= L|limit= json= a|app|assignee= l|label=
    m|milestone|message= r|ref|reviewer= g|group= n|notes= y|yes admin paginate i|include silent help version
    archived all squash force
  `,
  inert: 'help version',
  harmless: `
    pr mr issue run repo release auth status search browse clone ci view codespace gist label config alias
    extension completion project
  `,
  rules: [
    ['repo|project delete', DELETE_REPOSITORY],
    ['delete', DELETE_REPOSITORY],
    ['api', DELETE_REPOSITORY, { when: (call) => strongerOf(apiCall(call, /^DELETE$/i, REPOSITORY_PATH)) }],
    ['api', DELETE, { when: (call) => apiCall(call, /^(DELETE|PUT|PATCH)$/i, /./) }],
    ['api graphql', DELETE, { when: (call) => mutates(call, /\b(delete|remove|archive|transfer)[A-Z]/) }],
    ['api graphql', HOST_CHANGE, { when: (call) => mutates(call, /\bmutation\b/) }],
    ['api', HOST_CHANGE, { when: posts }],
    ['repo edit', DELETE, { value: [/./, 'visibility'] }],
    ['repo archive|rename|transfer', DELETE],
    ['repo sync', DELETE, { surely: 'force' }],
    ['repo deploy-key|autolink delete', DELETE],
    [
      'release|releases|secret|variable|gist|issue|label|run|ssh-key|gpg-key|codespace|snippet delete',
      DELETE,
    ],
    ['release delete-asset', DELETE],
    ['pr merge', DELETE, { surely: 'admin' }],
    ['pr|mr merge|close', HOST_CHANGE],
    ['workflow run|disable', HOST_CHANGE],
    ['release create', HOST_CHANGE],
  ],
}

/** `repos/owner/name`, and nothing behind it. */
const REPOSITORY_PATH = /^\/?(repos\/[^/]+\/[^/?]+|projects\/[^/?]+)\/?$/

function apiCall({ read, rest }: VerbCall, method: RegExp, path: RegExp): Certainty {
  const asked = valueIs(read, method, 'method')
  const named = rest.some((word) => exactTexts(word).some((text) => path.test(text)))
  return asked !== 'no' && named ? asked : 'no'
}

/** Fields without a method are sent as a POST. */
function posts({ read, rest }: VerbCall): Certainty {
  if (rest.some((word) => exactTexts(word).includes('graphql'))) return 'no'
  const methods = valuesOf(read, 'method')
  if (methods.length > 0) return valueIs(read, /^POST$/i, 'method')
  return certainly(valuesOf(read, 'raw-field', 'field', 'input').length > 0)
}

function mutates({ read }: VerbCall, pattern: RegExp): Certainty {
  const text = valuesOf(read, 'raw-field', 'field').flatMap(exactTexts).join('\n')
  return certainly(/\bmutation\b/.test(text) && pattern.test(text))
}

/** Prose for a code host: an issue's text names whatever it likes. */
const prose = /^(-b|-t|-n|--body|--title|--notes|--description|--message|--comment|--subject)$/

/** The programs of code hosts. What they only show, and what can be closed and opened again, is no act here. */
export const CODE_HOSTS: ProgramTable = {
  gh: {
    acts: PROGRAM,
    lines: [[TUNNEL, /\bcodespace\s+ports\s+visibility\b.*\bpublic\b/]],
    sends: posting('github.com', /^(gist create|release upload \S+)/),
    files: { verbs: true, loads: /^(?:-f|--env-file)$/, prose },
    credentials: [
      ['the GitHub token', /\bauth token\b/],
      ['the GitHub token', /\bauth status\b/, / (-t|--show-token) /],
    ],
    fetches: true,
  },
  glab: {
    acts: PROGRAM,
    sends: posting('gitlab.com', /^snippet create/),
    files: { verbs: true, prose },
    credentials: [
      ['the GitLab token', /\b(auth|config) (token|get token)\b/],
      ['the GitLab token', /\bauth status\b/, / (-t|--show-token) /],
    ],
  },
  hub: {
    acts: PROGRAM,
    // It hands every command of git on to it.
    starts: ({ name, args }) => ({
      own: args.length,
      runs: [{ via: name, words: [exactWord('git'), ...args] }],
    }),
  },
  tea: { acts: PROGRAM },
}
