/**
 * Completion for fish, with what each word means.
 */
export const FISH_SCRIPT = `# papertape completion for fish: papertape completion fish > ~/.config/fish/conf.d/papertape.fish

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
