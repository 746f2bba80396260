import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import {
  type Certainty,
  certainly,
  isGiven,
  type VerbCall,
  type VerbProgram,
  verbEffects,
  weakerOf,
} from '../../arguments/verbs.ts'
import type { SimpleCommand } from '../../vocabulary/command.ts'
import type { ActEffect } from '../../vocabulary/effect.ts'
import { exactText } from '../../words/words.ts'
import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import type { Program, ProgramTable } from '../program.ts'
import { CLUSTER_DELETE, ESCAPE, LOSE_VOLUME, PRUNE, REMOVE_CONTAINER, REMOVE_ELSEWHERE } from './acts.ts'
import { RUN_OPTIONS, reachesHost } from './host-access.ts'

const FLAGS = `
  f|force a|all v|volumes filter= q|quiet t|time= s|signal= l|link n|last= latest i|ignore depend cidfile=
  no-trunc format= h|help dry-run=? all-volumes keep-storage=
`
/** `-f` is a filter or a file behind these. */
const FILTERED = 'f|filter|file= a|all q|quiet format= help t|tag= n|tail='

const COMPOSE: VerbProgram = {
  options: `
    f|file= p|project-name= project-directory= profile= env-file= ansi= progress= parallel= c|context= H|host=
    log-level= all-resources compatibility dry-run h|help
  `,
  verbOptions: {
    run: RUN_OPTIONS,
    exec: RUN_OPTIONS,
    '*': `
      v|volumes rmi= t|timeout= remove-orphans f|force s|stop V|renew-anon-volumes d|detach build
      force-recreate scale= dry-run h|help
    `,
  },
  wrapping: 'run exec',
  dryRun: 'dry-run',
  harmless: 'up ps logs build exec pull restart stop start config top images',
  rules: [
    ['down|rm', LOSE_VOLUME, { given: 'volumes' }],
    ['run', ESCAPE, { when: reachesHost }],
    [
      'down',
      REMOVE_CONTAINER,
      { when: ({ read }) => certainly(read.options.some(({ name }) => name === 'rmi')) },
    ],
    ['rm|kill', REMOVE_CONTAINER],
  ],
}

const OBJECTS: VerbProgram = {
  wrapping: 'run create exec',
  options: 'h|help',
  verbOptions: {
    run: RUN_OPTIONS,
    create: RUN_OPTIONS,
    exec: RUN_OPTIONS,
    ls: FILTERED,
    list: FILTERED,
    '*': FLAGS,
  },
  harmless: 'ls list inspect create run exec logs start stop build pull push',
  rules: [
    ['run|create', ESCAPE, { when: reachesHost }],
    ['rm|remove', LOSE_VOLUME, { surely: 'volumes' }],
    ['exec', ESCAPE, { surely: 'privileged' }],
    ['rm|remove', PRUNE, { when: takesEverything }],
    ['prune', REMOVE_CONTAINER, { when: ({ read }) => certainly(!isFiltered(read)) }],
    ['rm|remove', REMOVE_CONTAINER, { given: 'force' }],
    ['stop|kill', REMOVE_CONTAINER, { when: takesEverything }],
  ],
}

const CLUSTER: VerbProgram = {
  options: 'h|help f|force',
  harmless: 'ls inspect ps logs create update deploy scale init join services',
  rules: [
    ['rm|remove|down', CLUSTER_DELETE],
    ['leave', CLUSTER_DELETE, { given: 'force' }],
  ],
}

/** `docker` and those that speak like it. */
const DOCKER: VerbProgram = {
  options: `
    c|context|connection= H|host= l|log-level= config= D|debug tls tlscacert= tlscert= tlskey= tlsverify
    v|version url= root= runroot= storage-driver= r|remote n|namespace= address= a h|help identity=
    storage-opt= cgroup-manager= runtime= events-backend=
  `,
  verbOptions: {
    run: RUN_OPTIONS,
    create: RUN_OPTIONS,
    ps: FILTERED,
    images: FILTERED,
    build: FILTERED,
    '*': FLAGS,
  },
  wrapping: 'run create exec',
  inert: 'help version',
  nested: {
    compose: COMPOSE,
    container: OBJECTS,
    image: { ...OBJECTS, rules: [imagePrune(), ...OBJECTS.rules.filter(([verbs]) => verbs !== 'prune')] },
    pod: OBJECTS,
    stack: CLUSTER,
    service: CLUSTER,
    secret: CLUSTER,
    config: CLUSTER,
    node: CLUSTER,
    swarm: CLUSTER,
  },
  harmless: `
    ps build exec logs images pull push tag inspect start info cp buildx version login restart stats top
    events save load search
  `,
  rules: [
    ['volume rm|remove|prune', LOSE_VOLUME],
    ['system prune', LOSE_VOLUME, { given: 'volumes' }],
    ['system reset', LOSE_VOLUME],
    ['system prune', PRUNE, { when: ({ read }) => certainly(!isFiltered(read)) }],
    ['rm', LOSE_VOLUME, { surely: 'volumes' }],
    ['exec', ESCAPE, { surely: 'privileged' }],
    ['rm|rmi', PRUNE, { when: takesEverything }],
    ['run|create', ESCAPE, { when: reachesHost }],
    ['rm|rmi', REMOVE_CONTAINER, { given: 'force' }],
    ['machine rm|reset', REMOVE_CONTAINER],
    ['stop|kill', REMOVE_CONTAINER, { when: takesEverything }],
  ],
}

const REMOVED_ELSEWHERE: VerbProgram['rules'] = [['rm|rmi|remove|stop|kill|prune|down', REMOVE_ELSEWHERE]]

/** On another machine, what is stopped or removed served somebody. */
const ELSEWHERE: Pick<VerbProgram, 'rules' | 'nested'> = {
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
  return ['prune', PRUNE, { when: when }]
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

const EXEC: Wrapper = {
  options: `
    u|user= w|workdir= e|env= env-file= detach-keys= latest|l preserve-fds= d|detach i|interactive t|tty
    T|no-TTY index= privileged
  `,
  operands: 1,
  remote: true,
  folder: 'workdir',
}
const RUN: Wrapper = {
  options: `
    a|attach= c|cpu-shares= e|env= h|hostname= l|label= m|memory= p|publish= u|user= v|volume= w|workdir=
    add-host= annotation= blkio-weight= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= cpu-period=
    cpu-quota= cpus= cpuset-cpus= cpuset-mems= detach-keys= device= dns= dns-search= entrypoint= env-file=
    expose= gpus= group-add= health-cmd= health-interval= ip= ipc= isolation= kernel-memory= label-file= link=
    log-driver= log-opt= mac-address= memory-swap= mount= name= network|net= network-alias= oom-score-adj=
    pid= pids-limit= platform= pull= restart= runtime= security-opt= shm-size= stop-signal= stop-timeout=
    storage-opt= sysctl= tmpfs= ulimit= userns= uts= volume-driver= volumes-from= secret= pod= arch= os=
    authfile= creds= d|detach i|interactive t|tty T|no-TTY P|publish-all q|quiet init no-healthcheck
    oom-kill-disable privileged read-only rm sig-proxy=? no-deps service-ports build use-aliases rmi
  `,
  operands: 1,
  remote: true,
  folder: 'workdir',
  entry: 'entrypoint',
}
const COMPOSE_RUNS: Wrapper = {
  options: `
    f|file= p|project-name= profile= env-file= project-directory= parallel= ansi= progress= compatibility
    dry-run
  `,
  inert: 'dry-run',
  verbs: { exec: EXEC, run: RUN },
}
const DOCKER_RUNS: Wrapper = {
  options: `
    H|host= c|context= config= l|log-level= tlscacert= tlscert= tlskey= D|debug tls tlsverify n|namespace=
    address= connection= url= identity= root= runroot= storage-driver= log-level= remote|r
  `,
  verbs: {
    exec: EXEC,
    run: RUN,
    container: { ...PLAIN, verbs: { exec: EXEC, run: RUN } },
    compose: COMPOSE_RUNS,
    unshare: PLAIN,
  },
}

const NSENTER = `
  t|target= m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? C|cgroup=? U|user=? T|time=? a|all S|setuid= G|setgid=
  r|root=? w|wd=? W|wdns= F|no-fork Z|follow-context e|env
`

/** Here a container is soon made again; on another machine it serves others. */
function acting(program: VerbProgram): NonNullable<Program['does']> {
  return ({ command }): readonly ActEffect[] => {
    const effects = verbEffects(command, program)
    if (effects.some(({ act }) => act !== REMOVE_CONTAINER.act) || !isElsewhere(command, program))
      return effects
    return verbEffects(command, { ...program, ...ELSEWHERE })
  }
}

export const INSTANCE: Wrapper = {
  options: `
    cwd= env= user= group= mode= n= t|force-interactive T d= w|working-directory= u= a|app= s= r|remote= e= p=
    i
  `,
  operands: 1,
  separated: true,
  remote: true,
}

/** What is mounted, or named as a file of settings, is used, not shown. */
const files = { loads: /^(?:-v|--volume|--mount|--secret|-f|--file|--config)$/ }
const showsEnvironment = ({ args }: SimpleCommand): 'all' | 'none' => {
  const words = args.map((word) => exactText(word) ?? '')
  return words.includes('inspect') && words.some((word) => /\.Config\.Env\b/.test(word)) ? 'all' : 'none'
}

/** Containers, images and volumes. What runs inside a container is a command of its own. */
export const DOCKERS: ProgramTable = {
  'docker podman': { does: acting(DOCKER), wraps: DOCKER_RUNS, files, showsEnvironment },
  nerdctl: { does: acting(DOCKER), wraps: DOCKER_RUNS, files },
  'docker-compose': { does: acting(COMPOSE), wraps: COMPOSE_RUNS, files },
  'podman-compose': { does: acting(COMPOSE), wraps: COMPOSE_RUNS },
  crictl: {
    wraps: {
      options: 'r|runtime-endpoint= i|image-endpoint= t|timeout= c|config= D|debug',
      verbs: { exec: EXEC },
    },
  },
  buildah: { wraps: { ...PLAIN, verbs: { run: INSTANCE } } },
  // Process 1 is the machine itself, seen from inside a container.
  nsenter: {
    does: ({ command }) => {
      const [target] = valuesOf(readOptions(command.args, NSENTER, { stopAtOperand: true }), 'target')
      return exactText(target) === '1' ? [ESCAPE] : []
    },
    wraps: { options: NSENTER },
    files: { operands: 'none' },
  },
}

/** The machine the containers are on is not this one. */
function isElsewhere({ args, assignments }: SimpleCommand, program: VerbProgram): boolean {
  const read = readOptions(args, program.options, { stopAtOperand: true })
  const hosts = [
    ...valuesOf(read, 'host', 'url'),
    ...assignments.filter(({ name }) => name === 'DOCKER_HOST').map(({ value }) => value),
  ]
  const contexts = [
    ...valuesOf(read, 'context', 'connection'),
    ...assignments.filter(({ name }) => name === 'DOCKER_CONTEXT').map(({ value }) => value),
  ]
  return (
    hosts.some((word) =>
      /^(?:tcp|ssh|https?):\/\/(?![^/]*\b(?:localhost|127\.0\.0\.1))/.test(exactText(word) ?? ''),
    ) || contexts.some((word) => !LOCAL_CONTEXT.test(exactText(word) ?? 'default'))
  )
}

const LOCAL_CONTEXT =
  /^(?:default|desktop-\w+|colima.*|orbstack|rancher-desktop|rootless|lima.*|local\w*|podman-machine.*|dev\w*)$/
