import type { Pack } from '../../../core/guard.ts'
import { keyValueConfigure } from './data/key-value-configure.ts'
import { keyValueFlush } from './data/key-value-flush.ts'
import { resetDatabase } from './data/reset-database.ts'
import { sqlAlter } from './data/sql-alter.ts'
import { sqlDestroy } from './data/sql-destroy.ts'
import { sqlGrant } from './data/sql-grant.ts'
import { sqlProgram } from './data/sql-program.ts'
import { deviceWrite } from './disk/device-write.ts'
import { formatDisk } from './disk/format.ts'
import { remount } from './disk/mount.ts'
import { deleteBackups } from './files/delete-backups.ts'
import { deleteOutside } from './files/delete-outside.ts'
import { deleteRoot } from './files/delete-root.ts'
import { deleteSources } from './files/delete-sources.ts'
import { extractOverRoot } from './files/extract-over-root.ts'
import { moveAway } from './files/move-away.ts'
import { overwriteOutside } from './files/overwrite-outside.ts'
import { overwriteSystem } from './files/overwrite-system.ts'
import { shred } from './files/shred.ts'
import { syncDelete } from './files/sync-delete.ts'
import { amendOrRebase } from './git/amend-or-rebase.ts'
import { clean } from './git/clean.ts'
import { configExec } from './git/config-exec.ts'
import { deleteBranch } from './git/delete-branch.ts'
import { deleteRemote } from './git/delete-remote.ts'
import { discardChanges } from './git/discard-changes.ts'
import { dropStash } from './git/drop-stash.ts'
import { forcePush } from './git/force-push.ts'
import { hardReset } from './git/hard-reset.ts'
import { hookFiles } from './git/hook-files.ts'
import { metadata } from './git/metadata.ts'
import { removeFiles } from './git/remove-files.ts'
import { removeWorktree } from './git/remove-worktree.ts'
import { rewriteHistory } from './git/rewrite-history.ts'
import { transportCommand } from './git/transport-command.ts'
import { exfiltration } from './network/exfiltration.ts'
import { listen } from './network/listen.ts'
import { reverseShell } from './network/reverse-shell.ts'
import { tunnel } from './network/tunnel.ts'
import { openUp } from './permissions/open-up.ts'
import { setuid } from './permissions/setuid.ts'
import { takeOver } from './permissions/take-over.ts'
import { containerEscape } from './privilege/container-escape.ts'
import { rootShell } from './privilege/root-shell.ts'
import { sudo } from './privilege/sudo.ts'
import { applyUnasked } from './remote/apply-unasked.ts'
import { cloudAccess } from './remote/cloud-access.ts'
import { cloudDelete } from './remote/cloud-delete.ts'
import { containerRemove } from './remote/containers.ts'
import { githubDelete } from './remote/github.ts'
import { githubChange } from './remote/github-change.ts'
import { httpDelete } from './remote/http-delete.ts'
import { destroyInfrastructure } from './remote/infrastructure.ts'
import { infrastructureState } from './remote/infrastructure-state.ts'
import { kubernetesDelete } from './remote/kubernetes-delete.ts'
import { kubernetesDestroy } from './remote/kubernetes-destroy.ts'
import { objectDelete } from './remote/object-delete.ts'
import { playbook } from './remote/playbook.ts'
import { prune } from './remote/prune.ts'
import { publish } from './remote/publish.ts'
import { remoteCommand } from './remote/remote-command.ts'
import { repositoryDelete } from './remote/repository-delete.ts'
import { unpublish } from './remote/unpublish.ts'
import { virtualMachines } from './remote/virtual-machines.ts'
import { volumes } from './remote/volumes.ts'
import { environment } from './shell/environment.ts'
import { foreignPackage } from './shell/foreign-package.ts'
import { hiddenExec } from './shell/hidden-exec.ts'
import { pipeToShell } from './shell/pipe-to-shell.ts'
import { runDownload } from './shell/run-download.ts'
import { shadowProgram } from './shell/shadow-program.ts'
import { unreadableCommand } from './shell/unreadable.ts'
import { windowsLoader } from './shell/windows-loader.ts'
import { writtenScript } from './shell/written-script.ts'
import { deleteSchedule } from './system/delete-schedule.ts'
import { changeProtection } from './system/firewall.ts'
import { forkBomb } from './system/fork-bomb.ts'
import { changeKernel } from './system/kernel.ts'
import { removePackages } from './system/packages.ts'
import { persistence } from './system/persistence.ts'
import { schedule } from './system/schedule.ts'
import { shutdown } from './system/shutdown.ts'
import { startAtBoot } from './system/start-at-boot.ts'
import { stopService } from './system/stop-service.ts'
import { traces } from './system/traces.ts'
import { changeUsers } from './system/users.ts'

export const pack: Pack = {
  id: 'safety',
  title: 'Actions that cannot be undone',
  // It weakens guards, so it does not count in a file that nobody trusts.
  programs: ['undoable'],
  options: {},
  wrongOptions: 'use defaults',
  guards: [
    // First, because for a command that cannot be read this is the reason to show.
    unreadableCommand,
    forcePush,
    amendOrRebase,
    clean,
    configExec,
    deleteBranch,
    deleteRemote,
    discardChanges,
    dropStash,
    hardReset,
    hookFiles,
    metadata,
    removeFiles,
    removeWorktree,
    rewriteHistory,
    transportCommand,
    deleteRoot,
    deleteBackups,
    deleteOutside,
    deleteSources,
    overwriteSystem,
    overwriteOutside,
    moveAway,
    syncDelete,
    shred,
    extractOverRoot,
    formatDisk,
    deviceWrite,
    remount,
    openUp,
    takeOver,
    setuid,
    writtenScript,
    pipeToShell,
    runDownload,
    foreignPackage,
    windowsLoader,
    environment,
    hiddenExec,
    shadowProgram,
    exfiltration,
    reverseShell,
    listen,
    tunnel,
    shutdown,
    httpDelete,
    remoteCommand,
    virtualMachines,
    traces,
    keyValueConfigure,
    keyValueFlush,
    resetDatabase,
    sqlAlter,
    sqlDestroy,
    sqlGrant,
    sqlProgram,
    containerEscape,
    rootShell,
    sudo,
    applyUnasked,
    cloudAccess,
    cloudDelete,
    containerRemove,
    githubChange,
    githubDelete,
    infrastructureState,
    destroyInfrastructure,
    kubernetesDelete,
    kubernetesDestroy,
    objectDelete,
    playbook,
    prune,
    publish,
    repositoryDelete,
    unpublish,
    volumes,
    deleteSchedule,
    changeProtection,
    forkBomb,
    changeKernel,
    removePackages,
    persistence,
    schedule,
    startAtBoot,
    stopService,
    changeUsers,
  ],
}
