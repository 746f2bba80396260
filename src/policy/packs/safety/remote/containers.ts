import { actGuard } from '../../act-guard.ts'

export const containerRemove = actGuard({
  id: 'safety/remote/containers',
  title: 'Removing containers or images by force',
  why: 'Data that a running container has not written to a volume is lost when the container is removed.',
  instead: 'stop it first (`docker stop web`), then remove it without force (`docker rm web`).',
  acts: ['containers/remove'],
  mentions: /^(?=.*\b(docker|podman|nerdctl)\b)(?=.*\brm(i)?\b)/s,
  maybe: 'may remove containers or images by force',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'docker rm -f web',
      'docker rm --force web worker',
      'docker container prune -f',
      'docker container rm -f web',
      'docker rmi -f shop:dev',
      'docker image rm --force shop:dev',
      'docker compose down --rmi all',
      'docker compose rm -f web',
      'docker stop $(docker ps -q)',
      'podman pod rm -f shop',
      'podman machine rm',
    ],
    passes: [
      'docker stop web',
      'docker rm web',
      'docker rmi shop:dev',
      'docker compose down',
      'docker compose stop web',
      'docker run --rm alpine true',
      'docker build --force-rm .',
      'docker image ls -f dangling=true',
      'podman stop shop',
      'docker rm --help',
    ],
  },
})
