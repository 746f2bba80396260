import { wordList } from '../../../core/word-list.ts'
import { optionTable, type ReadOptions } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  type VerbCall,
  type VerbProgram,
  weakerOf,
} from '../../arguments/verbs.ts'
import { CLUSTER_DELETE, ESCAPE, LOSE_VOLUME, PRUNE, REMOVE_CONTAINER, REMOVE_ELSEWHERE } from './acts.ts'
import { RUN_OPTIONS, reachesHost } from './host-access.ts'

const FLAGS = optionTable(`
  f|force a|all v|volumes filter= q|quiet t|time= s|signal= l|link n|last= latest i|ignore depend cidfile=
  no-trunc format= h|help dry-run=? all-volumes keep-storage=
`)
/** `-f` is a filter or a file behind these. */
const FILTERED = optionTable('f|filter|file= a|all q|quiet format= help t|tag= n|tail=')

export const COMPOSE: VerbProgram = {
  options: optionTable(`
    f|file= p|project-name= project-directory= profile= env-file= ansi= progress= parallel= c|context= H|host=
    log-level= all-resources compatibility dry-run h|help
  `),
  verbOptions: {
    run: RUN_OPTIONS,
    exec: RUN_OPTIONS,
    '*': optionTable(`
      v|volumes rmi= t|timeout= remove-orphans f|force s|stop V|renew-anon-volumes d|detach build
      force-recreate scale= dry-run h|help
    `),
  },
  wrapping: ['run', 'exec'],
  dryRun: ['dry-run'],
  harmless: wordList('up ps logs build exec pull restart stop start config top images'),
  rules: [
    { verbs: 'down|rm', act: LOSE_VOLUME, when: ({ read }) => isGiven(read, 'volumes') },
    { verbs: 'run', act: ESCAPE, when: reachesHost },
    {
      verbs: 'down',
      act: REMOVE_CONTAINER,
      when: ({ read }) => certainly(read.options.some(({ name }) => name === 'rmi')),
    },
    { verbs: 'rm|kill', act: REMOVE_CONTAINER },
  ],
}

const OBJECTS: VerbProgram = {
  wrapping: ['run', 'create', 'exec'],
  options: optionTable('h|help'),
  verbOptions: {
    run: RUN_OPTIONS,
    create: RUN_OPTIONS,
    exec: RUN_OPTIONS,
    ls: FILTERED,
    list: FILTERED,
    '*': FLAGS,
  },
  harmless: wordList('ls list inspect create run exec logs start stop build pull push'),
  rules: [
    { verbs: 'run|create', act: ESCAPE, when: reachesHost },
    {
      verbs: 'rm|remove',
      act: LOSE_VOLUME,
      when: ({ read }) => certainly(isGiven(read, 'volumes') === 'yes'),
    },
    { verbs: 'exec', act: ESCAPE, when: ({ read }) => certainly(isGiven(read, 'privileged') === 'yes') },
    { verbs: 'rm|remove', act: PRUNE, when: takesEverything },
    { verbs: 'prune', act: REMOVE_CONTAINER, when: ({ read }) => certainly(!isFiltered(read)) },
    { verbs: 'rm|remove', act: REMOVE_CONTAINER, when: ({ read }) => isGiven(read, 'force') },
    { verbs: 'stop|kill', act: REMOVE_CONTAINER, when: takesEverything },
  ],
}

const CLUSTER: VerbProgram = {
  options: optionTable('h|help f|force'),
  harmless: wordList('ls inspect ps logs create update deploy scale init join services'),
  rules: [
    { verbs: 'rm|remove|down', act: CLUSTER_DELETE },
    { verbs: 'leave', act: CLUSTER_DELETE, when: ({ read }) => isGiven(read, 'force') },
  ],
}

/** `docker` and those that speak like it. */
export const DOCKER: VerbProgram = {
  options: optionTable(`
    c|context|connection= H|host= l|log-level= config= D|debug tls tlscacert= tlscert= tlskey= tlsverify
    v|version url= root= runroot= storage-driver= r|remote n|namespace= address= a h|help identity=
    storage-opt= cgroup-manager= runtime= events-backend=
  `),
  verbOptions: {
    run: RUN_OPTIONS,
    create: RUN_OPTIONS,
    ps: FILTERED,
    images: FILTERED,
    build: FILTERED,
    '*': FLAGS,
  },
  wrapping: ['run', 'create', 'exec'],
  inert: ['help', 'version'],
  nested: {
    compose: COMPOSE,
    container: OBJECTS,
    image: { ...OBJECTS, rules: [imagePrune(), ...OBJECTS.rules.filter(({ verbs }) => verbs !== 'prune')] },
    pod: OBJECTS,
    stack: CLUSTER,
    service: CLUSTER,
    secret: CLUSTER,
    config: CLUSTER,
    node: CLUSTER,
    swarm: CLUSTER,
  },
  harmless: wordList(`
    ps build exec logs images pull push tag inspect start info cp buildx version login restart stats top
    events save load search
  `),
  rules: [
    { verbs: 'volume rm|remove|prune', act: LOSE_VOLUME },
    { verbs: 'system prune', act: LOSE_VOLUME, when: ({ read }) => isGiven(read, 'volumes') },
    { verbs: 'system reset', act: LOSE_VOLUME },
    { verbs: 'system prune', act: PRUNE, when: ({ read }) => certainly(!isFiltered(read)) },
    { verbs: 'rm', act: LOSE_VOLUME, when: ({ read }) => certainly(isGiven(read, 'volumes') === 'yes') },
    { verbs: 'exec', act: ESCAPE, when: ({ read }) => certainly(isGiven(read, 'privileged') === 'yes') },
    { verbs: 'rm|rmi', act: PRUNE, when: takesEverything },
    { verbs: 'run|create', act: ESCAPE, when: reachesHost },
    { verbs: 'rm|rmi', act: REMOVE_CONTAINER, when: ({ read }) => isGiven(read, 'force') },
    { verbs: 'machine rm|reset', act: REMOVE_CONTAINER },
    { verbs: 'stop|kill', act: REMOVE_CONTAINER, when: takesEverything },
  ],
}

const REMOVED_ELSEWHERE: VerbProgram['rules'] = [
  { verbs: 'rm|rmi|remove|stop|kill|prune|down', act: REMOVE_ELSEWHERE },
]

/** On another machine, what is stopped or removed served somebody. */
export const ELSEWHERE: Pick<VerbProgram, 'rules' | 'nested'> = {
  rules: REMOVED_ELSEWHERE,
  nested: {
    compose: { ...COMPOSE, rules: REMOVED_ELSEWHERE },
    container: { ...OBJECTS, rules: REMOVED_ELSEWHERE },
    image: { ...OBJECTS, rules: REMOVED_ELSEWHERE },
    pod: { ...OBJECTS, rules: REMOVED_ELSEWHERE },
  },
}

/** Without `-a` only images go that have no name any more. */
function imagePrune(): VerbProgram['rules'][number] {
  const when = ({ read }: VerbCall) => weakerOf(isGiven(read, 'all'), certainly(!isFiltered(read)))
  return { verbs: 'prune', act: PRUNE, when }
}

function isFiltered(read: ReadOptions): boolean {
  return read.options.some((option) => option.name === 'filter')
}

/** `docker rm -f $(docker ps -aq)`: all of them, not those somebody chose. */
function takesEverything({ rest, command, read }: VerbCall): Certainty {
  if (isGiven({ ...read, doubtful: [] }, 'all') === 'yes') return 'yes'
  const listed = rest.some((word) =>
    word.forms.some((form) => form.some((piece) => piece.kind === 'unknown' && isWholeList(piece.text))),
  )
  const given = rest.some((word) => word.source === 'standard input')
  const inputs = command.inputs ?? []
  const chosen = inputs.some(({ name }) => CHOOSES.test(name ?? ''))
  return certainly(listed || (given && !chosen && inputs.some((input) => isWholeList(input.fragment))))
}

const CHOOSES = /^(?:[ef]?grep|rg|awk|sed|head|tail|fzf)$/

function isWholeList(text: string): boolean {
  if (/filter| -f\b|grep|awk|head/.test(text)) return false
  return /\b(docker|podman|nerdctl) ((container|image) )?(ps|ls|images|list)\b/.test(text)
}
