document.body.textContent = '';
