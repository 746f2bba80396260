import { optionTable, readOptions, valuesOf } from '../arguments/options.ts'
import { type VerbProgram, verbEffects } from '../arguments/verbs.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { exactText } from '../words/words.ts'
import { ESCAPE, REMOVE_CONTAINER } from './containers/acts.ts'
import { COMPOSE, DOCKER, ELSEWHERE } from './containers/docker.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

/** Containers, images and volumes. What runs inside a container is a command of its own. */
export const containers: Model = {
  programs: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'nsenter'],
  effects(call) {
    if (call.name === 'nsenter') return entersHost(call)
    const program = call.name.endsWith('-compose') ? COMPOSE : DOCKER
    const effects = verbEffects(call.command, program)
    // Here a container is soon made again; on another machine it serves others.
    if (effects.some(({ act }) => act !== REMOVE_CONTAINER.act) || !isElsewhere(call.command, program))
      return effects
    return verbEffects(call.command, { ...program, ...ELSEWHERE })
  },
}

export const cases: ModelCases = [
  ['docker ps -a'],
  ['docker build -f docker/Dockerfile -t app:dev .'],
  ['docker run --rm -it -v "$PWD":/app -w /app -p 3000:3000 node:20 npm test'],
  ['docker run -v data:/var/lib/postgresql/data -d postgres'],
  ['docker rm web'],
  ['docker volume ls'],
  ['docker volume create data'],
  ['docker volume rm data', 'data-destroy containers/volumes'],
  ['docker --context prod volume prune -f', 'data-destroy containers/volumes'],
  ['docker -H tcp://example.com:2375 volume remove data', 'data-destroy containers/volumes'],
  ['docker volume rm --help'],
  ['docker -H tcp://example.com:2375 rm -f web', 'remote-mutate kubernetes/delete'],
  ['docker -H tcp://localhost:2375 rm -f web', 'system-change containers/remove'],
  ['docker -H ssh://dev@example.com ps'],
  ['docker --context prod compose down', 'remote-mutate kubernetes/delete'],
  ['docker --context desktop-linux compose down'],
  ['DOCKER_HOST=ssh://dev@example.com docker container stop web', 'remote-mutate kubernetes/delete'],
  ['docker --context prod run --rm alpine true'],
  ['docker system df'],
  ["docker system prune --filter 'until=24h'"],
  ['docker system prune -af', 'data-destroy containers/prune'],
  ['docker system prune -f --volumes', 'data-destroy containers/volumes'],
  ['docker image prune -f'],
  ['docker image prune --all', 'data-destroy containers/prune'],
  ['docker container prune', 'system-change containers/remove'],
  ['docker network prune -f'],
  ['docker exec --privileged web bash', 'privilege privilege/container-escape'],
  ['docker exec -it web bash'],
  ['docker rm -f $(docker ps -aq)', 'data-destroy containers/prune'],
  ['docker ps -aq | xargs docker rm -f', 'data-destroy containers/prune'],
  ['docker rm -f $(docker ps -aq --filter name=app)', 'system-change containers/remove'],
  ["docker ps --format '{{.Names}}' | grep test | xargs docker rm -f", 'system-change containers/remove'],
  ['docker rm -f web', 'system-change containers/remove'],
  ['docker rm -fv web', 'data-destroy containers/volumes'],
  ['docker rmi -f app:dev', 'system-change containers/remove'],
  ['docker compose up -d'],
  ['docker compose -f docker-compose.dev.yml down'],
  ['docker compose down --remove-orphans'],
  ['docker compose -p app down -v', 'data-destroy containers/volumes'],
  ['docker compose down --volumes --dry-run'],
  ['docker compose down $FLAGS', 'data-destroy containers/volumes ?'],
  ['docker compose down --rmi all', 'system-change containers/remove'],
  ['docker-compose logs -f web'],
  ['docker-compose --file dev.yml rm -sfv', 'data-destroy containers/volumes'],
  ['podman-compose down --volumes', 'data-destroy containers/volumes'],
  ['podman system reset --force', 'data-destroy containers/volumes'],
  ['podman images'],
  ['nerdctl volume rm data', 'data-destroy containers/volumes'],
  ['docker stack rm app', 'remote-mutate kubernetes/delete'],
  ['docker service ls'],
  ['docker run --privileged -it alpine', 'privilege privilege/container-escape'],
  ['docker run --privileged=false -it alpine'],
  ['docker run -it -v /:/host alpine', 'privilege privilege/container-escape'],
  ['docker run -v=/:/host alpine', 'privilege privilege/container-escape'],
  [
    'docker run --volume=/var/run/docker.sock:/var/run/docker.sock app',
    'privilege privilege/container-escape',
  ],
  ['docker run --mount type=bind,source=/,target=/host alpine', 'privilege privilege/container-escape'],
  ['docker container run --pid=host --rm alpine', 'privilege privilege/container-escape'],
  ['docker run --cap-add SYS_ADMIN alpine', 'privilege privilege/container-escape'],
  ['docker run -v /srv/project/data:/data alpine'],
  ['docker $VERB data', 'data-destroy containers/volumes ?'],
  ['docker $FLAGS ps'],
  ['nsenter -t 1 -m -u -i -n sh', 'privilege privilege/container-escape'],
  ['nsenter --target 4242 --net ip addr'],
]

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

const NSENTER = optionTable(`
  t|target= m|mount=? u|uts=? i|ipc=? n|net=? p|pid=? C|cgroup=? U|user=? T|time=? a|all S|setuid= G|setgid=
  r|root=? w|wd=? W|wdns= F|no-fork Z|follow-context e|env
`)

/** Process 1 is the machine itself, seen from inside a container. */
function entersHost({ command }: ModelCall) {
  const [target] = valuesOf(readOptions(command.args, NSENTER, { stopAtOperand: true }), 'target')
  return exactText(target) === '1' ? [ESCAPE] : []
}
