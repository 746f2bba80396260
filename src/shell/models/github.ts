import { wordList } from '../../core/word-list.ts'
import { optionTable, valuesOf } from '../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  strongerOf,
  type VerbCall,
  type VerbProgram,
  valueIs,
  verbEffects,
} from '../arguments/verbs.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { exactTexts } from '../words/words.ts'
import type { Model, ModelCases } from './model.ts'

/** The programs of code hosts. What they only show, and what can be closed and opened again, is no act here. */
export const github: Model = {
  programs: ['gh', 'glab', 'hub', 'tea'],
  effects: ({ command }) => verbEffects(command, PROGRAM),
}

const REPOSITORY = 'data-destroy github/delete-repository'
const DELETES = 'remote-mutate github/delete'
const CHANGES = 'remote-mutate github/change'

export const cases: ModelCases = [
  ['gh pr view 7 --json title'],
  ['gh pr create --title "delete repo" --body x'],
  ['gh repo view'],
  ['gh repo delete example/shop --yes', REPOSITORY],
  ['gh repo delete --help'],
  ['gh -R example/shop release delete v1.0.0', DELETES],
  ['gh release view v1.0.0'],
  ['gh release create v1.0.0', CHANGES],
  ['gh secret delete TOKEN', DELETES],
  ['gh secret list'],
  ['gh repo edit --visibility public', DELETES],
  ['gh repo edit --description x'],
  ['gh repo archive example/shop', DELETES],
  ['gh pr merge 7 --squash', CHANGES],
  ['gh pr merge 7 --admin', DELETES],
  ['gh pr close 7', CHANGES],
  ['gh workflow run deploy.yml', CHANGES],
  ['gh run list'],
  ['gh cache delete --all'],
  ['gh extension remove x'],
  ['gh api repos/example/shop/issues'],
  ['gh api -X GET search/issues -f q=x'],
  ['gh api repos/example/shop/issues -f title=x', CHANGES],
  ['gh api -X DELETE repos/example/shop', REPOSITORY],
  ['gh api --method DELETE /repos/example/shop/', REPOSITORY],
  ['gh api -XDELETE repos/example/shop/git/refs/heads/x', DELETES],
  ['gh api --method=PUT repos/example/shop/contents/a.txt -f content=x', DELETES],
  ['gh api -X "$METHOD" repos/example/shop', `${REPOSITORY} ?`],
  ["gh api graphql -f query='query { viewer { login } }'"],
  ["gh api graphql -f query='mutation { deleteIssue(input: {}) { id } }'", DELETES],
  ['gh $ARGS', `${REPOSITORY} ?`],
  ['glab mr list'],
  ['glab repo delete shop', REPOSITORY],
  ['glab mr merge 7', CHANGES],
  ['hub delete -y example/shop', REPOSITORY],
  ['hub pull-request -m x'],
  ['tea issues'],
  ['tea releases delete v1', DELETES],
]

const DELETE_REPOSITORY: ActEffect = {
  kind: 'data-destroy',
  act: 'github/delete-repository',
  what: 'deletes a whole repository on its host, with its issues and pull requests',
}
const DELETE: ActEffect = {
  kind: 'remote-mutate',
  act: 'github/delete',
  what: 'deletes or replaces something on the code host, or changes who may see it',
}
const CHANGE: ActEffect = {
  kind: 'remote-mutate',
  act: 'github/change',
  what: 'changes something on the code host that others see at once',
}

const PROGRAM: VerbProgram = {
  options: optionTable(`
    R|repo= hostname= X|method= f|raw-field= F|field= H|header= q|jq= t|template|title= input= p|preview=
    cache= b|body= B|base= visibility= e|env= o|org= L|limit= json= a|app|assignee= l|label=
    m|milestone|message= r|ref|reviewer= g|group= n|notes= y|yes admin paginate i|include silent help version
    archived all squash force
  `),
  inert: ['help', 'version'],
  harmless: wordList(`
    pr mr issue run repo release auth status search browse clone ci view codespace gist label config alias
    extension completion project
  `),
  rules: [
    { verbs: 'repo|project delete', act: DELETE_REPOSITORY },
    { verbs: 'delete', act: DELETE_REPOSITORY },
    {
      verbs: 'api',
      act: DELETE_REPOSITORY,
      when: (call) => strongerOf(apiCall(call, /^DELETE$/i, REPOSITORY_PATH)),
    },
    { verbs: 'api', act: DELETE, when: (call) => apiCall(call, /^(DELETE|PUT|PATCH)$/i, /./) },
    {
      verbs: 'api graphql',
      act: DELETE,
      when: (call) => mutates(call, /\b(delete|remove|archive|transfer)[A-Z]/),
    },
    { verbs: 'api graphql', act: CHANGE, when: (call) => mutates(call, /\bmutation\b/) },
    { verbs: 'api', act: CHANGE, when: posts },
    { verbs: 'repo edit', act: DELETE, when: ({ read }) => valueIs(read, /./, 'visibility') },
    { verbs: 'repo archive|rename|transfer', act: DELETE },
    { verbs: 'repo sync', act: DELETE, when: ({ read }) => certainly(isGiven(read, 'force') === 'yes') },
    { verbs: 'repo deploy-key|autolink delete', act: DELETE },
    {
      verbs: 'release|releases|secret|variable|gist|issue|label|run|ssh-key|gpg-key|codespace|snippet delete',
      act: DELETE,
    },
    { verbs: 'release delete-asset', act: DELETE },
    { verbs: 'pr merge', act: DELETE, when: ({ read }) => certainly(isGiven(read, 'admin') === 'yes') },
    { verbs: 'pr|mr merge|close', act: CHANGE },
    { verbs: 'workflow run|disable', act: CHANGE },
    { verbs: 'release create', act: CHANGE },
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
