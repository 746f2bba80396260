import { copying, posting } from './programs/network/senders.ts'
import type { Program } from './programs/program.ts'

export const SENDERS: ReadonlyMap<string, NonNullable<Program['sends']>> = new Map([
  ['aws', copying(/\bs3 (cp|mv|sync)\b/, /^s3:\/\//)],
  ['s3cmd', copying(/^(put|sync)\b/, /^s3:\/\//)],
  ['gsutil', copying(/^(cp|mv|rsync)\b/, /^gs:\/\//)],
  ['gcloud', copying(/^storage (cp|mv|rsync)\b/, /^gs:\/\//)],
  ['mc', copying(/^(cp|mv|mirror)\b/, /^\w+\//)],
  ['azcopy', copying(/^(copy|cp|sync)\b/, /^https:\/\//)],
  ['az', posting('azure', /^storage blob upload(-batch)?/, /^(-f|--file|-s|--source)$/)],
  ['gh', posting('github.com', /^(gist create|release upload \S+)/)],
  ['glab', posting('gitlab.com', /^snippet create/)],
])
