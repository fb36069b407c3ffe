/** `papertape completion`: prints the shell script that completes commands, flags, their values, and strategies. */
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import type { CliCommand } from '../cli-command.ts'
import { io } from '../cli-io.ts'
import { EXIT } from '../exit-code.ts'

/**
 * Completion for bash.
 *
 * Known limit: bash 3, which macOS still calls bash, has no `compopt`.
 */
const BASH_SCRIPT = `# papertape completion for bash 4 and newer: source <(papertape completion bash)

# The program that would run: the one that is named, or the user's own one of the project around where npx or an alias finds it.
_papertape_program() {
  local named=$1 folder=$PWD/ each
  [[ $named == '~/'* ]] && named=$HOME/\${named#'~/'}
  if [[ $named != npx ]]; then
    type -P "$named" || type -P papertape && return
    type papertape &>/dev/null || return
  fi
  while [[ $folder ]]; do
    for each in node_modules/.bin/papertape bin/papertape.js; do
      [[ -x $folder$each && -O $folder$each ]] && printf '%s\\n' "$folder$each" && return
    done
    folder=\${folder%/}
    folder=\${folder%"\${folder##*/}"}
  done
  type -P papertape
}

_papertape() {
  COMPREPLY=()
  # After a redirection comes a file, which bash completes by itself.
  [[ \${COMP_WORDS[COMP_CWORD - 1]} == *[\\<\\>]* ]] && return
  local line=\${COMP_LINE:0:COMP_POINT} words=() word index
  # Bash splits words at '=' and ':'.
  for ((index = 0; index <= COMP_CWORD; index++)); do
    if [[ $index == 0 || $line == [[:space:]]* ]]; then
      words+=('')
      line=\${line#"\${line%%[![:space:]]*}"}
    fi
    word=\${COMP_WORDS[index]}
    [[ $index == "$COMP_CWORD" ]] && word=$line
    words[\${#words[@]} - 1]+=$word
    line=\${line#"$word"}
  done

  local named=\${words[0]}
  words=("\${words[@]:1}")
  if [[ $named == npx ]]; then
    while [[ \${words[0]-} == -* ]]; do words=("\${words[@]:1}"); done
    [[ \${words[0]-} == papertape && \${#words[@]} -gt 1 ]] || return
    words=("\${words[@]:1}")
  fi
  local program
  program=$(_papertape_program "$named")
  [[ $program ]] || return

  local begun=\${words[\${#words[@]} - 1]} breaks=\${COMP_WORDBREAKS//[!=:]/} kept='' kind
  if [[ $begun == [\\'\\"]* ]]; then
    # Behind an open quote bash parts nothing.
    begun=\${begun:1} breaks=''
  fi
  [[ $breaks ]] && kept=\${begun%"\${begun##*[$breaks]}"}
  words[\${#words[@]} - 1]=$begun
  {
    read -r kind
    while IFS=$'\\t' read -r word _; do
      [[ $word == "$begun"* ]] && COMPREPLY+=("\${word#"$kept"}")
    done
  } < <("$program" --get-completions "\${words[@]}" 2>/dev/null)

  if [[ $kind == words ]]; then
    compopt +o default +o bashdefault 2>/dev/null
  elif ((\${#COMPREPLY[@]} > 0)); then
    # By itself bash names files only where there is nothing else.
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "\${begun#"$kept"}")
  fi
}
complete -o bashdefault -o default -F _papertape papertape
complete -p npx &>/dev/null || complete -o bashdefault -o default -F _papertape npx
`

/** Completion for fish, with what each word means. */
const FISH_SCRIPT = `# papertape completion for fish: papertape completion fish > ~/.config/fish/conf.d/papertape.fish

# The program that would run: the one that is named, or the user's own one of the project around where npx or an alias finds it.
function __papertape_program
    if test $argv[1] != npx
        command -s (string replace -r '^~/' "$HOME/" -- $argv[1]); and return
        command -s papertape; and return
        type -q papertape; or return
    end
    set -l folder $PWD/
    while test -n "$folder"
        for each in node_modules/.bin/papertape bin/papertape.js
            if test -x $folder$each -a -O $folder$each
                echo $folder$each
                return
            end
        end
        set folder (string replace -r '[^/]*/$' '' -- $folder)
    end
    command -s papertape
end

# Words from papertape to the one that is begun; none where npx runs something else.
function __papertape_words
    set -l words (commandline -opc)
    test $words[1] = npx; and set -e words[1]
    while string match -q -- '-*' $words[1]
        set -e words[1]
    end
    if test (commandline -opc)[1] != npx; or test "$words[1]" = papertape
        printf '%s\\n' $words
    end
end

function __papertape_complete
    set -l begun (commandline -ct)
    # Behind an open quote nothing is escaped.
    string match -qr '^["\\']' -- $begun; and set begun (string escape -n -- (string sub -s 2 -- $begun))
    set -l words (__papertape_words)
    set -l program (__papertape_program (commandline -opc)[1])
    set -l said
    if test -n "$program"
        set said ($program --get-completions $words[2..] (string unescape -- "$begun") 2>/dev/null)
        printf '%s\\n' $said[2..]
    end
    test "$said[1]" = words; and return
    # A file may stand behind its market.
    set -l kept (string replace -r '[^=]*$' '' -- "$begun")
    set -l file (string replace -r '^.*=' '' -- "$begun")
    for line in (complete -C "'' $file")
        echo (string unescape -- "$kept")$line
    end
end

complete -c papertape -f -k -a '(__papertape_complete)'
complete -c npx -n 'count (__papertape_words) >/dev/null' -f -k -a '(__papertape_complete)'
`

/** Completion for zsh, with what each word means; read from a file, or found in the fpath as `_papertape`. */
const ZSH_SCRIPT = `#compdef papertape
# papertape completion for zsh: source <(papertape completion zsh)

# The program that would run: the one that is named, or the user's own one of the project around where npx or an alias finds it.
_papertape_program() {
  local named=\${1/#\\~\\//$HOME/} folder=$PWD/ each
  if [[ $named != npx ]]; then
    whence -p -- $named || whence -p papertape && return
    whence papertape >/dev/null || return
  fi
  while [[ -n $folder ]]; do
    for each in node_modules/.bin/papertape bin/papertape.js; do
      [[ -x $folder$each && -O $folder$each ]] && print -r -- $folder$each && return
    done
    folder=\${folder%/}
    folder=\${folder%"\${folder##*/}"}
  done
  whence -p papertape
}

_papertape() {
  local named=\${(Q)words[1]} program line word says
  local -a said found
  if [[ $named == npx ]]; then
    while [[ $words[2] == -* ]]; do shift words; (( CURRENT-- )); done
    if [[ $words[2] != papertape ]] || (( CURRENT < 3 )); then
      _default
      return
    fi
    shift words
    (( CURRENT-- ))
  fi
  program=$(_papertape_program $named)
  [[ -n $program ]] || { _default; return }

  said=("\${(@f)$($program --get-completions "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  # The part before a value stays as it is.
  [[ $PREFIX == --*=* ]] && compset -P 1 '*=' && said=("\${(@)said/#--[^=]#=/}")
  for line in "\${(@)said[2,-1]}"; do
    word=\${line%%$'\\t'*}
    says=\${line#*$'\\t'}
    found+=("\${word//:/\\\\:}\${says:+:$says}")
  done
  local tag=values result=1
  [[ $PREFIX == -* ]] && tag=options
  (( $#found > 0 )) && _describe -t $tag papertape found && result=0
  if [[ $said[1] != words ]]; then
    # A file may follow its market.
    _files || { compset -P '*=' && _files } && result=0
  fi
  return result
}
_papertape_register() {
  compdef _papertape papertape
  (( $+_comps[npx] )) || compdef _papertape npx
}

# Before the first prompt, for a shell whose completion is begun later, or never.
_papertape_late() {
  add-zsh-hook -d precmd _papertape_late
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }
  _papertape_register
}

if (( ! $+functions[compdef] )); then
  autoload -Uz add-zsh-hook && add-zsh-hook precmd _papertape_late
else
  _papertape_register
  # As a file of the fpath it is run when it is first asked.
  [[ $funcstack[1] != _papertape ]] || _papertape "$@"
fi
`

/** The shells that complete a command line. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/**
 * Completion scripts: each calls `papertape --get-completions` for every word, completes file names where they are
 * valid, and also completes `npx papertape`, unless something else already completes npx.
 */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: BASH_SCRIPT,
  zsh: ZSH_SCRIPT,
  fish: FISH_SCRIPT,
}

export const completionCommand: CliCommand = {
  command: 'completion <shell>',
  describe: 'print the completion script for bash, zsh or fish',
  builder: (yargs) =>
    yargs
      .positional('shell', { type: 'string', demandOption: true, describe: 'bash, zsh or fish' })
      .example('source <($0 completion bash)', '')
      .example('source <($0 completion zsh)', '')
      .example('$0 completion fish > ~/.config/fish/conf.d/papertape.fish', '')
      .epilogue(
        'Put the first line into ~/.bashrc, or the second into ~/.zshrc. Completion also works after npx papertape.',
      ),
  handler: ({ shell }) => {
    const found = SHELLS.find((name) => name === shell)
    if (found === undefined) {
      const hint = nearestNameHint(String(shell), SHELLS)
      throw new InputError('completion', `expected ${SHELLS.join(', ')}, got '${String(shell)}'${hint}`)
    }
    io.stdout.write(COMPLETION_SCRIPTS[found])
    return EXIT.done
  },
}
