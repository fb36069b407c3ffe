/** The requests that `papertape emulator` can make. */
export type EmulatorAction =
  | ('show' | 'save' | 'list' | 'load' | 'diff' | 'export' | 'import' | 'delete')
  | ('start-branch' | 'list-branches' | 'close-branch')
  | 'hash-token'
  | ('play' | 'list-actions' | 'stop')
  | 'rewind'
  | ('board' | 'invite' | 'reset-player')
