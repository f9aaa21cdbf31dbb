#!/bin/bash
# Base backups of the service postgres, and the WAL segments that stand between them (docs/operations.md, "Backup").
#   backup.sh         one every BACKUP_EVERY_SECONDS; keeps BACKUP_KEEP of them
#   backup.sh once    one now
#   backup.sh due     seconds until the next; a restart makes none, or some restarts would drop the backups of days
#   backup.sh check   exit 1 where the newest is older than two intervals, or WAL is not archived any more
#   backup.sh restore [TIME]    put the newest backup (from before TIME) into /restore, to be rolled forward by WAL: to its
#                               end, or to TIME (2026-11-23 05:30:00+00). The folder is emptied first.
#   backup.sh archive PATH NAME    Postgres' archive_command: keep one segment
# A backup is a folder /backups/TIME that was checked against its own manifest; one being made ends in .part.
set -euo pipefail
every=${BACKUP_EVERY_SECONDS:-86400} keep=${BACKUP_KEEP:-7}
# Folders and owner are the containers'; tests name their own.
backups=${BACKUPS:-/backups} archive=${ARCHIVE:-/archive} restored=${RESTORED:-/restore} owner=${RESTORED_OWNER:-postgres}
export PGHOST=${PGHOST:-postgres} PGUSER=${PGUSER:-halluvault_backup}
# Postgres finishes a segment every five minutes (archive_timeout) while anything is written, as Airflow always does.
archived_within=1800

all() { find "$backups" -mindepth 1 -maxdepth 1 -type d -name '2*Z' | sort; }
stamp() { date -u "$@" +%Y-%m-%dT%H%M%S.%3NZ; }
die() { echo "$*" >&2; exit 2; }

due() {
    local last; last=$(all | tail -1)
    local left; [ -n "$last" ] && left=$((every - ($(date +%s) - $(stat -c %Y "$last")))) || left=0
    echo $((left > 0 ? left : 0))
}

once() {
    # None kept would drop the one that was just made.
    [[ $keep =~ ^[1-9][0-9]*$ ]] || die "backup: BACKUP_KEEP is '$keep'; it must be 1 or more"
    PGPASSWORD=$(cat "${SECRET:-/run/secrets/halluvault_backup_password}")
    export PGPASSWORD
    exec 9>"$backups/.lock"
    flock -n 9 || die "backup: another one is being made"
    rm -rf "$backups"/*.part
    local name; name=$(stamp)
    pg_basebackup -D "$backups/$name.part" -X stream -c fast --no-password
    pg_verifybackup -q "$backups/$name.part"
    mv -T "$backups/$name.part" "$backups/$name"
    echo "backup: $name, $(du -sm "$backups/$name" | cut -f1) MB, checked against its manifest"
    all | head -n "-$keep" | while read -r old; do
        rm -rf "$old"
        echo "backup: $(basename "$old") dropped, $keep are kept"
    done
    # WAL from before the oldest backup restores nothing any more.
    local oldest; oldest=$(all | sed -n 1p)
    local first; first=$(sed -n 's/^START WAL LOCATION: .*(file \([0-9A-F]*\)).*/\1/p' "$oldest/backup_label")
    [ -z "$first" ] || pg_archivecleanup "$archive" "$first"
}

restore() {
    [ -d "$restored" ] || die "restore: mount the data volume of postgres at $restored"
    local last until=${1:-} before
    last=$(all | tail -1)
    [ -n "$last" ] || die "restore: there is no backup under $backups"
    if [ -n "$until" ]; then
        before=$(stamp -d "$until" 2>/dev/null) || die "restore: '$until' is no time; write 2026-11-23 05:30:00+00"
        last=$(all | awk -F/ -v before="$before" '$NF < before' | tail -1)
        [ -n "$last" ] || die "restore: no backup is from before $until; the oldest is $(all | sed -n 1p)"
    fi
    [ ! -e "$restored/postmaster.pid" ] ||
        die "restore: stop the service postgres first; if it is stopped and was killed, remove $restored/postmaster.pid"
    pg_verifybackup -q "$last"
    find "$restored" -mindepth 1 -delete
    cp -a "$last/." "$restored/"
    # The backup of a server that was itself restored brings that restore's target along: each is said anew, an empty one too.
    cat >>"$restored/postgresql.auto.conf" <<CONF
restore_command = 'cp $archive/%f %p'
recovery_target_time = '$until'
recovery_target_action = 'promote'
CONF
    : >"$restored/recovery.signal"
    chown -R "$owner": "$restored"
    chmod 700 "$restored"
    echo "restore: $(basename "$last") is in place${until:+, to be rolled forward to $until}; start the service postgres"
}

# Postgres asks again for a segment that it does not know to be kept, as after being killed: one that is there whole is kept.
# It drops its own copy once this says 0, so that ours must be on the disk by then. Another server's of that name stays.
archive_one() {
    cmp -s "$1" "$archive/$2" && return
    [ ! -e "$archive/$2" ] || die "archive: $archive/$2 is there with another content, perhaps another server's: docs/operations.md"
    cp "$1" "$archive/.$2" && sync "$archive/.$2" && mv "$archive/.$2" "$archive/$2" && sync "$archive"
}

check() {
    local now last newest; now=$(date +%s) last=$(all | tail -1)
    if [ -z "$last" ] || [ $((now - $(stat -c %Y "$last"))) -ge $((2 * every)) ]; then
        echo "the newest backup is ${last:-none}"
        exit 1
    fi
    [ "${POSTGRES_ARCHIVE_MODE:-off}" = on ] || return 0
    newest=$(find "$archive" -maxdepth 1 -type f -name '[0-9A-F]*' -printf '%Ts\n' | sort -n | tail -1)
    if [ $((now - ${newest:-0})) -ge $archived_within ]; then
        echo "no WAL was archived for $archived_within s: docker-compose logs postgres says why"
        exit 1
    fi
}

case ${1:-} in
    once) once ;;
    due) due ;;
    restore) restore "${2:-}" ;;
    archive) archive_one "$2" "$3" ;;
    check) check ;;
    *)
        while :; do
            sleep "$(due)"
            # A process of its own: within `… || …` this one would not stop at a step that failed.
            bash "$0" once || { echo "backup: failed; the next try in 5 minutes" >&2; sleep 300; }
        done ;;
esac
