/**
How processes exchange what they have counted (`createLimits`). A process asks for a number that it may let through until the next time:
what it holds in that way is taken from what is left for the others, and falls back to them if it does not return. Times are
milliseconds since 1970 by the clock of the database. What is lost in a crash counts for nothing, so nothing is written twice.
*/
export const limitsMigration = `
	create unlogged table switchboard.limit_processes (
		process uuid primary key,
		seen_at bigint not null
	);

	create unlogged table switchboard.limit_counts (
		name text collate "C" not null,
		process uuid not null,
		window_end bigint not null,
		used bigint not null,
		held bigint not null,
		held_until bigint not null,
		primary key (name, process)
	);
	create index limit_counts_by_end on switchboard.limit_counts (window_end);

	create function switchboard.exchange_counts(
		me uuid, names text[], windows bigint[], used_here bigint[], waiting_here bigint[], wanted_here boolean[], limits bigint[]
	) returns table (name text, window_end bigint, milliseconds_left bigint, used_elsewhere bigint, held bigint, processes bigint)
	language plpgsql volatile as $$
	#variable_conflict use_column
	declare
		moment bigint;
		process_count bigint;
	begin
		-- One at a time, so that what is left is given away once. Any role could hold an advisory lock.
		lock table switchboard.limit_processes in share row exclusive mode;
		moment := extract(epoch from clock_timestamp()) * 1000;
		insert into switchboard.limit_processes values (me, moment) on conflict (process) do update set seen_at = moment;
		delete from switchboard.limit_processes where seen_at not between moment - 2000 and moment;
		select count(*) into process_count from switchboard.limit_processes;
		-- Those in the future are left from a clock that was set back.
		delete from switchboard.limit_counts where window_end <= moment;
		delete from switchboard.limit_counts where window_end > moment + 60000;

		return query
		with asked as (
			select asked.name, coalesce(present.window_end, moment + 60000) as window_end, waiting, is_wanted, most,
				case when known_end is null or known_end = present.window_end then asked.used else 0 end as used,
				coalesce(present.used, 0) as used_elsewhere, coalesce(present.held, 0) as held_elsewhere
			from unnest(names, windows, used_here, waiting_here, wanted_here, limits) as asked (name, known_end, used, waiting, is_wanted, most)
			left join lateral (
				select max(counted.window_end) as window_end,
					sum(counted.used) filter (where process <> me) as used,
					sum(counted.held) filter (where process <> me and held_until > moment) as held
				from switchboard.limit_counts as counted where counted.name = asked.name
			) as present on true
		), left_over as (
			select *, greatest(0, most - asked.used - used_elsewhere - held_elsewhere) as rest from asked
		), given as (
			select *, case when is_wanted then least(rest, waiting + greatest(0, rest - waiting) / process_count) else 0 end::bigint as held from left_over
		), stored as (
			insert into switchboard.limit_counts
			select given.name, me, given.window_end, given.used, given.held, moment + 2000 from given
			on conflict (name, process) do update set
				window_end = excluded.window_end, used = excluded.used, held = excluded.held, held_until = excluded.held_until
		)
		select given.name, given.window_end, given.window_end - moment, given.used_elsewhere::bigint, given.held, process_count from given;
	end $$;
`;
