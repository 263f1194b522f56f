-- Opens a program with the configuration of docs/editors.md, waits for marks of attacks, asks for
-- the fences, applies them, and waits until the marks are gone. Prints what it saw as JSON.
local seen = {}

local function finish()
  io.stdout:write(vim.json.encode(seen) .. '\n')
  vim.cmd('qall!')
end

local function marks()
  return vim.tbl_map(function(one)
    return { line = one.lnum, message = one.message, code = one.code }
  end, vim.diagnostic.get(0))
end

local function hasAttacks()
  return #vim.tbl_filter(function(one) return one.code == 'not-robust' end, marks()) > 0
end

-- C, which is checked when it is opened and when it is saved.
vim.cmd('edit ' .. vim.env.FENCEWRIGHT_C)
seen.isCChecked = vim.wait(300000, hasAttacks, 50)
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// one line more' })
seen.isUnsavedUnmarked = vim.wait(300000, function() return #marks() == 0 end, 50)
vim.cmd('silent write')
seen.isSavedChecked = vim.wait(300000, hasAttacks, 50)

-- Twice, so that a text is entered again.
vim.cmd('edit ' .. vim.env.FENCEWRIGHT_PROGRAM)
vim.cmd('edit ' .. vim.env.FENCEWRIGHT_C)
vim.cmd('edit ' .. vim.env.FENCEWRIGHT_PROGRAM)
if not vim.wait(300000, hasAttacks, 50) then
  seen.failure = 'no attacks'
  return finish()
end
seen.attacks = marks()
local client = vim.tbl_values(vim.lsp.buf_get_clients(0))[1]

local function ask(method, params)
  local answer, failure = client.request_sync(method, params, 300000, 0)
  if not answer or answer.err then
    seen.failure = method .. ': ' .. (failure or vim.inspect(answer.err))
    return nil
  end
  return answer.result
end

local document = { uri = vim.uri_from_bufnr(0) }
local hover = ask('textDocument/hover', { textDocument = document, position = { line = 13, character = 5 } })
seen.hover = hover and hover.contents.value
local actions = ask('textDocument/codeAction', {
  textDocument = document,
  range = { start = { line = seen.attacks[1].line, character = 0 }, ['end'] = { line = seen.attacks[1].line, character = 1 } },
  context = { diagnostics = {} },
}) or {}
seen.actions = vim.tbl_map(function(one) return one.title end, actions)
for _, action in ipairs(actions) do
  if vim.startswith(action.title, 'Insert the cheapest fences') then
    local resolved = ask('codeAction/resolve', action)
    if resolved then vim.lsp.util.apply_workspace_edit(resolved.edit, client.offset_encoding) end
    break
  end
end
seen.servers = #vim.lsp.get_active_clients()
seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
seen.isMended = vim.wait(300000, function() return #marks() == 0 end, 50)
-- Marks are gone as soon as words change: what the lens says comes with the verdict.
vim.wait(300000, function()
  local lenses = ask('textDocument/codeLens', { textDocument = document }) or {}
  seen.lenses = vim.tbl_map(function(one) return one.command.title end, lenses)
  return vim.startswith(seen.lenses[1] or '', 'robust')
end, 200)
finish()
