-- For wrk: sends the requests of a file in turn, and tells what came of it as one line of JSON.
-- The file holds, request after request, its length on a line and then its bytes as they go over the wire.
-- With `rotate` every request ends in a refresh token and is sent once: the token of its answer makes the next.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

local requests, nth, last = {}, 0, 0
local needle, prefix
sent, unexpected, example = 0, 0, ""

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for line in function() return file:read("*l") end do
    last = last + 1
    requests[last] = file:read(tonumber(line))
  end
  file:close()
  needle = args[2]
  if needle ~= nil and needle ~= "" then response = check end
  if args[3] == "rotate" then
    prefix = requests[1]:match("^.*refresh_token=")
    request, response = once, rotate
  end
end

function request()
  nth = nth % last + 1
  sent = sent + 1
  return requests[nth]
end

function once()
  nth = nth + 1
  sent = sent + 1
  local bytes = requests[nth]
  requests[nth] = nil
  return bytes
end

function rotate(status, headers, body)
  check(status, headers, body)
  local token = body:match('"refresh_token":"([^"]+)"')
  if token == nil then return end
  last = last + 1
  requests[last] = prefix .. token
end

function check(status, headers, body)
  if status < 200 or status > 299 or not body:find(needle, 1, true) or body:find('"isError":true', 1, true) then
    unexpected = unexpected + 1
    example = status .. " " .. body:sub(1, 300)
  end
end

local function quoted(text)
  return '"' .. text:gsub('[%c"\\]', " ") .. '"'
end

function done(summary, latency)
  local t = threads[1]
  local e = summary.errors
  io.write(string.format(
    'WEFT {"answered":%d,"sent":%d,"micros":%d,"failed":%d,"unexpected":%d,"p50":%d,"p99":%d,"example":%s}\n',
    summary.requests, t:get("sent"), summary.duration, e.connect + e.read + e.write + e.status + e.timeout,
    t:get("unexpected"), latency:percentile(50), latency:percentile(99), quoted(t:get("example"))))
end
