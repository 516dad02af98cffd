-- An event follows the last one of its stream, and is linked to it by hash. The rule also stops
-- INSERT OR REPLACE, which would remove a row without asking the rule against that.
drop trigger events_follow_each_other;
create trigger events_follow_each_other before insert on events
when new.previous is not coalesce(
  (select case when version = new.version - 1 then hash else x'' end
   from events where stream = new.stream order by version desc limit 1),
  case new.version when 1 then zeroblob(32) end)
begin
  select raise(abort, 'an event follows the last one of its stream');
end;
