import { optionTable, readOptions, valuesOf } from '../options.ts'
import { verbEffects } from '../verbs.ts'
import { exactText } from '../words.ts'
import { ESCAPE } from './containers/acts.ts'
import { COMPOSE, DOCKER } from './containers/docker.ts'
import type { Model, ModelCall, ModelCases } from './model.ts'

/** Containers, images and volumes. What runs inside a container is a command of its own. */
export const containers: Model = {
  programs: ['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'nsenter'],
  effects(call) {
    if (call.name === 'nsenter') return entersHost(call)
    return verbEffects(call.command, call.name.endsWith('-compose') ? COMPOSE : DOCKER)
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

const NSENTER = optionTable(
  ...['t|target=', 'm|mount=?', 'u|uts=?', 'i|ipc=?', 'n|net=?', 'p|pid=?', 'C|cgroup=?', 'U|user=?'],
  ...['T|time=?', 'a|all', 'S|setuid=', 'G|setgid=', 'r|root=?', 'w|wd=?', 'W|wdns=', 'F|no-fork'],
  ...['Z|follow-context', 'e|env'],
)

/** Process 1 is the machine itself, seen from inside a container. */
function entersHost({ command }: ModelCall) {
  const [target] = valuesOf(readOptions(command.args, NSENTER, { stopAtOperand: true }), 'target')
  return exactText(target) === '1' ? [ESCAPE] : []
}
